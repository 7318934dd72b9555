package resp

import (
	"bytes"
	"testing"
)

func TestUnpaired(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "GET k": false, "subscribe c": true, "PSUBSCRIBE c*": true, "SSUBSCRIBE c": true, "UNSUBSCRIBE": true,
		"punsubscribe a b": true, "SUNSUBSCRIBE": true, "MONITOR": true, "SYNC": true, "PSYNC ? -1": true,
		"CLIENT REPLY OFF": true, "client reply skip": true, "CLIENT REPLY ON": false, "CLIENT ID": false, "CLIENT": false,
		"CLIENT REPLY": false, "REPLCONF ACK 0": true, "REPLCONF capa eof": false, "PUBLISH MONITOR m": false, "SUBSCRIBERS": false,
		// These are answered like any other.
		"QUIT": false, "RESET": false, "HELLO 3": false, "SELECT 1": false, "WATCH k": false, "SHUTDOWN": false,
	} {
		if why := Unpaired(bytes.Fields([]byte(text))...); (why != "") != want {
			t.Errorf("%q: %q, want a reason: %v", text, why, want)
		}
	}
}
