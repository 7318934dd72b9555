package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFlagsWithoutEffect: a flag that is a detail of one that is missing, or of
// something that is not done, is refused before anything is dialled, in every
// command and also where it says what would be done anyway.
func TestFlagsWithoutEffect(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"COMMANDS": "PING\n",
		"LOG":      "1339518083.107412 [0 127.0.0.1:1] \"PING\"\n",
		"SUITE":    "name: s\ntests:\n  - name: x\n    template: PING\n",
		"ROWS":     "id\n1\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const noData, noFile = "there are no data; name a file with --data", "there is no file whose rows could be bad; name one with --data"
	for _, tt := range []struct{ args, want string }{
		{"-p 1 --bad-rows skip PING", "--bad-rows: " + noFile + ", --commands or --monitor"},
		{"-p 1 --bad-rows stop PING", "--bad-rows: " + noFile},
		{"bench -p 1 --bad-rows skip PING", "--bad-rows: " + noFile},
		{"-p 1 --bad-rows skip --lane a=PING -s 1", "--bad-rows: " + noFile},
		{"-p 1 --bad-rows skip --idle -c 1", "--bad-rows: " + noFile},
		{"preview --bad-rows skip PING", "--bad-rows: " + noFile + ", --commands or --monitor"},
		{"sweep -p 1 --bad-rows skip PING", "--bad-rows: " + noFile},
		{"suite -p 1 --bad-rows skip SUITE", "--bad-rows: no test takes rows of a file"},
		{"suite -p 1 --list --bad-rows skip SUITE", "--bad-rows: no test takes rows of a file"},
		{"-p 1 --data-order sequence PING", "--data-order: " + noData},
		{"-p 1 --data-order random --commands COMMANDS", "--data-order: " + noData},
		{"preview --data-order random PING", "--data-order: " + noData},
		{"sweep -p 1 --data-order random PING", "--data-order: " + noData},
		{"suite -p 1 --data-order random SUITE", "--data-order: no test takes rows of a file"},
		{"-p 1 --data-format csv --monitor LOG", "--data-format: " + noData},
		{"preview --data-format csv PING", "--data-format: " + noData},
		{"sweep -p 1 --data-format csv PING", "--data-format: " + noData},
		{"suite -p 1 --data-format csv SUITE", "--data-format csv: no test takes rows of a file"},
		{"suite -p 1 --data ROWS SUITE", "--data ROWS: no test takes anything of it"},
		{"suite -p 1 --list --data ROWS SUITE", "--data ROWS: no test takes anything of it"},
		{"-p 1 --data-once PING", "--data-once: "},
		{"-p 1 --commands-order sequence PING", "--commands-order: there is no command file; name one with --commands"},
		{"preview --commands-order random --monitor LOG", "--commands-order: there is no command file"},
		{"-p 1 --pace fast PING", "--pace: only a log has times; name one with --monitor"},
		{"-p 1 --pace 2x --commands COMMANDS", "--pace: only a log has times"},
		{"-p 1 --pace fast --rate 5 --monitor LOG", "--pace and --rate both say when"},

		{"-p 1 --arrivals constant PING", "--arrivals: in a closed loop requests follow replies; state a rate with --rate or --lane"},
		{"-p 1 --arrivals poisson --lane a=PING -s 1", "--arrivals poisson: in a closed loop requests follow replies"},
		{"sweep -p 1 --by connections --arrivals constant PING", "--arrivals: --by connections is a closed loop"},
		{"sweep -p 1 --by connections -c 5 PING", "-c: --by connections raises them itself"},
		{"-p 1 --read-from primary PING", "--read-from: only a cluster has nodes to choose from; add --cluster"},
		{"sweep -p 1 --read-from any PING", "--read-from: only a cluster"},
		{"suite -p 1 --read-from any SUITE", "--read-from: only a cluster"},
		{"suite -p 1 --clean --read-from any", "--read-from: only a cluster"},
		{"-p 1 --map-address a=b PING", "--map-address: only a cluster tells addresses; add --cluster"},
		{"sweep -p 1 --map-address a=b PING", "--map-address: only a cluster"},
		{"suite -p 1 --clean --map-address a=b", "--map-address: only a cluster"},
		{"-p 1 --ratio 1:1 PING", "--ratio 1:1: it divides several templates"},
		{"-p 1 --tracking PING", "--tracking: servers tell of changes by pushes"},
		{"-p 1 --key k PING", "--key says something of TLS, which is off; add --tls"},
		{"sweep -p 1 --sni x PING", "--sni says something of TLS"},
		{"suite -p 1 --insecure SUITE", "--insecure says something of TLS"},
		{"suite -p 1 --clean --tls-min 1.2", "--tls-min says something of TLS"},

		{"-p 1 --idle -c 1 -P 5", "idle: nothing is sent, so there is no pipeline depth"},
		{"-p 1 --idle -c 1 --timeout 5", "idle: nothing is sent, so no reply is late or an error"},
		{"-p 1 --idle -c 1 --on-error stop", "idle: nothing is sent, so no reply"},
		{"-p 1 --idle -c 1 --max-errors 5", "idle: nothing is sent, so no reply"},
		{"-p 1 --idle -c 1 --reconnect-every 5", "idle: nothing is sent, so connections are made anew after a time"},
		{"-p 1 --idle -c 1 --cluster --read-from any", "idle: nothing is read"},

		{"suite --print --only set", "--print prints the files of suites, whole; leave out --only"},
		{"suite --print -o x.json", "--print prints the files of suites, whole; leave out --output"},
		{"suite --print --list", "--print prints the files of suites, whole; leave out --list"},
		{"suite -p 1 --clean --only set", "--clean deletes the keys of all suites, and does nothing else; leave out --only"},
		{"suite -p 1 --clean -o x.json", "--clean deletes the keys of all suites, and does nothing else; leave out --output"},
		{"suite -p 1 --clean --list", "--clean deletes the keys of all suites, and does nothing else; leave out --list"},
		{"suite -p 1 --clean SUITE", "--clean deletes the keys of all suites; leave out "},
		{"suite --list -o none/x.json SUITE", "output"},
	} {
		args := strings.Fields(tt.args)
		for i, arg := range args {
			if _, ok := files[arg]; ok {
				args[i] = filepath.Join(dir, arg)
			}
		}
		var out, said strings.Builder
		status := run(t.Context(), args, &out, &said)
		got := strings.ReplaceAll(said.String(), dir+string(filepath.Separator), "")
		if status != 2 || out.Len() > 0 || !strings.HasPrefix(got, "respbench: "+tt.want) {
			t.Errorf("%s: status %d, %q, %q; want %q", tt.args, status, &out, got, tt.want)
		}
	}
}
