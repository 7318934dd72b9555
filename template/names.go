package template

import "strings"

// placeholderNames lists the placeholders in the order of the manual.
func placeholderNames() []string {
	return []string{"key", "int", "rand", "value", "bytes", "range", "index", "uuid", "time", "field", "len", "json", "line", "rows", "word"}
}

// lawNames lists the distributions in the order of the manual.
func lawNames() []string {
	return []string{"uniform", "sequence", "zipfian", "gaussian", "latest"}
}

// asWord introduces the name that a placeholder's text is bound to.
const asWord = "as"

func isPlaceholder(w string) bool {
	switch w {
	case "key", "int", "rand", "value", "bytes", "range", "index", "uuid", "time":
		return true
	}
	return isDataWord(w)
}

func isLaw(w string) bool {
	switch w {
	case "uniform", "sequence", "zipfian", "gaussian", "latest":
		return true
	}
	return false
}

// nameLength returns how many bytes at the start of s are a name: a letter,
// then letters, digits, underscores and hyphens.
func nameLength(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '_' || c == '-'):
		default:
			return i
		}
	}
	return len(s)
}

// longestTypo bounds, in bytes, the words that are compared with names.
const longestTypo = 24

// Nearest returns the candidate that w is most likely a slip of, or "": the
// same word in another case, a word that w begins, or one within one edit
// (two, from four letters on).
func Nearest(w string, candidates ...string) string {
	if len(w) > longestTypo {
		return ""
	}
	w = strings.ToLower(w)
	best, least := "", 2
	if len(w) >= 4 {
		least = 3
	}
	for _, c := range candidates {
		if len(c) > longestTypo {
			continue
		}
		folded := strings.ToLower(c)
		switch d := editDistance(w, folded); {
		case d < least:
			best, least = c, d
		case best == "" && len(w) >= 3 && strings.HasPrefix(folded, w):
			best = c
		}
	}
	return best
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (the restricted Damerau-Levenshtein distance) between a and b.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
