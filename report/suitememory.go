package report

import "strings"

// leastGrowth is by how many bytes the memory must have grown to be worth
// telling in a suite: the buffers of connections grow, too.
const leastGrowth = 1_000_000

// memory says by how much each test on documents made the memory grow.
func (s *SuiteResult) memory() []string {
	var list []string
	for t, test := range s.Tests {
		for i := range s.Targets {
			r := s.cell(t, i).Median()
			if r == nil || len(r.Workload.Data) == 0 || r.Server.UsedMemory == nil {
				continue
			}
			if grown := r.Server.UsedMemory.After - r.Server.UsedMemory.Before; grown >= leastGrowth {
				list = append(list, s.on(i)+Printable(test.Name)+" "+r.documentGrowth(grown))
			}
		}
	}
	return list
}

// documentGrowth is Server.growth, with what a document takes where all of
// them are in few keys.
func (r *Result) documentGrowth(grown int64) string {
	text := r.Server.growth()
	if r.Server.bytesPerKey() > 0 || !r.wroteEachRow() {
		return text
	}
	rows := r.Workload.Data[0].Rows
	perRow := Thousands((grown+rows/2)/rows) + " bytes a document"
	if before, rest, found := strings.Cut(text, " ("); found {
		return before + " (" + perRow + "; " + rest
	}
	return text + " (" + perRow + ")"
}

// wroteEachRow tells whether the run was of all rows of one file, each once.
func (r *Result) wroteEachRow() bool {
	if len(r.Workload.Data) != 1 {
		return false
	}
	d := r.Workload.Data[0]
	return d.Order == "sequence" && d.Rows >= fewestKeys && r.Workload.Requests == d.Rows && r.Requests.Succeeded == d.Rows
}
