package generator

import (
	"reflect"
	"testing"
)

// TestMachineUsage: only the CPUs count that the process may run on.
func TestMachineUsage(t *testing.T) {
	t.Parallel()
	const stat = `cpu  300 20 100 9000 0 3 2 0 0 0
cpu0 100 10 50 4000 0 1 2 0 0 0
cpu1 150 10 40 4000 0 2 0 0 0 0
cpu10 50 0 10 1000 0 0 0 0 0 0
intr 123456 0 0 0 0 0 0 0 0 0
ctxt 98765
`
	tests := []struct {
		ids  []int
		want machineUsage
	}{
		{[]int{0, 1, 10}, machineUsage{ns: 4250e6, cpus: []int{0, 1, 10}}},
		{[]int{0}, machineUsage{ns: 1630e6, cpus: []int{0}, confined: true}},
		{[]int{1, 10}, machineUsage{ns: 2620e6, cpus: []int{1, 10}, confined: true}},
		{nil, machineUsage{}},
	}
	for _, test := range tests {
		if got := usageOf(stat, test.ids); !reflect.DeepEqual(got, test.want) {
			t.Errorf("of %v: %+v, want %+v", test.ids, got, test.want)
		}
	}
	if got := usageOf("cpu0 1 2 x 4 5 6 7 8\n", []int{0}); len(got.cpus) > 0 {
		t.Errorf("of nonsense: %+v", got)
	}
	two := machineUsage{ns: 5, cpus: []int{0, 1}}
	if got := two.since(machineUsage{ns: 3, cpus: []int{0}}); got.ns != 0 || got.cpus != nil {
		t.Errorf("over other CPUs than before: %+v", got)
	}
	if got := two.since(machineUsage{ns: 3, cpus: []int{0, 1}}); got.ns != 2 || len(got.cpus) != 2 {
		t.Errorf("over the same CPUs: %+v", got)
	}
}
