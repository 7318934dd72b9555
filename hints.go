package main

import (
	"errors"
	"io"
	"strings"
	"syscall"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/suite"
)

// hintFor knows a remedy for what commonly goes wrong between a client and a
// server.
func hintFor(err error) string {
	var (
		foreign *suite.ForeignKeysError
		refused *conn.RefusedError
		failed  *generator.NoSuccessError
		secure  *conn.TLSError
		alone   *conn.NoClusterError
		missing *suite.MissingCommandsError
		node    *generator.NodeError
		forming *conn.FormingError
	)
	switch {
	case errors.As(err, &alone):
		return "leave out --cluster"
	case errors.As(err, &forming):
		return "redis-cli --cluster create gives slots to nodes; --wait waits until somebody has"
	case errors.As(err, &foreign):
		return "--flush=force deletes whatever is there; --db N takes another database; without --flush nothing is deleted"
	case errors.As(err, &missing):
		return modulesHint(missing.Commands)
	case errors.As(err, &refused):
		return replyHint(conn.ErrorCode(refused), refused)
	case errors.As(err, &failed) && failed.Code() == "MOVED" && failed.ToNodes != "":
		return "this is one node of a cluster: " + failed.ToNodes
	case errors.As(err, &failed):
		return replyHint(failed.Code(), nil)
	case errors.As(err, &secure):
		return tlsHint(secure.Reason)
	case errors.As(err, &node) && isUnreachable(err):
		return "the cluster tells this address: --map-address says what to dial in its place, --wait waits for a node that is away"
	}
	if hint := replyHint(conn.ErrorCode(err), nil); hint != "" {
		return hint
	}
	return systemHint(err)
}

// isUnreachable tells whether nobody answers at an address.
func isUnreachable(err error) bool {
	var unknown *conn.UnknownHostError
	return errors.As(err, &unknown) || errors.Is(err, conn.ErrNoAnswer) || errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)
}

// modulesHint says where servers have commands from.
func modulesHint(commands []string) string {
	for _, name := range commands {
		switch group, _, _ := strings.Cut(name, "."); group {
		case "FT", "JSON":
			return "FT.* and JSON.* are RediSearch and RedisJSON: modules, part of Redis Stack and of Redis 8"
		case "TFT":
			return "TFT.* is TairSearch, which Tair has"
		}
	}
	return ""
}

// replyHint is for a server that answers with an error, by its code. refused
// is nil if that was not during the handshake.
func replyHint(code string, refused *conn.RefusedError) string {
	switch code {
	case "NOAUTH":
		return "log in with -a PASSWORD, and -u USER where there are ACL users"
	case "WRONGPASS":
		return "check -u and -a; the password may also come from REDISCLI_AUTH"
	case "ERR":
		if refused != nil && refused.Command == "AUTH" {
			return "the server wants no password: leave out -a and -u, and unset REDISCLI_AUTH"
		}
		if refused != nil && strings.Contains(refused.Reply, "max number of clients") {
			return "the server's maxclients setting says how many it takes; use fewer with -c"
		}
	case "LOADING", "MASTERDOWN":
		return "the server does not serve yet: --wait waits until it does"
	case "NOPROTO":
		return "the server does not speak RESP3: leave out -3"
	case "NOPERM":
		return "this user's ACL rules do not allow the command"
	case "MOVED":
		return "this is one node of a cluster, and the keys live on others: --cluster follows them"
	case "NOSCRIPT":
		return "load the script first: redis-cli SCRIPT LOAD \"…\""
	}
	return ""
}

// tlsHint is for connections that cannot be encrypted.
func tlsHint(reason conn.TLSReason) string {
	switch reason {
	case conn.NotTLS:
		return "leave out --tls and its like, or name the port that speaks TLS with -p"
	case conn.SilentTLS:
		return "a server that does not speak TLS may keep silent, too: leave out --tls and its like, or name the port that speaks TLS with -p"
	case conn.WantsTLS:
		return "add --tls, and --cacert FILE where the authority is not one that the system trusts"
	case conn.Untrusted:
		return "--cacert FILE names the authority to trust; --insecure does without verifying"
	case conn.WrongName:
		return "--sni NAME asks for, and verifies, another name than that of -h; --insecure does without verifying"
	case conn.OutOfDate:
		return "the server needs a new certificate, if this machine's clock is right; --insecure does without verifying"
	case conn.WantsCert:
		return "--cert FILE and --key FILE give it one"
	case conn.RefusesCert:
		return "is it signed by an authority that the server trusts, and still valid? --cert and --key name it"
	case conn.WrongVersion:
		return "--tls-min 1.2 is the lowest that respbench speaks; the server's tls-protocols setting says what it speaks"
	case conn.ClosedDuringTLS:
		return "does the server want a client certificate (--cert, --key)? Does this port speak TLS?"
	}
	return ""
}

// systemHint is for what the operating systems of both sides say.
func systemHint(err error) string {
	var unknown *conn.UnknownHostError
	switch {
	case errors.As(err, &unknown):
		return "check the name, and whether this machine can look names up"
	case errors.Is(err, conn.ErrNoAnswer):
		return "is the address right, and is a firewall between? --connect-timeout waits longer"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "is a server running there? -h and -p name another one; --embedded tries respbench out without any"
	case errors.Is(err, syscall.ENOENT):
		return "no such socket: the server's unixsocket setting names it"
	case errors.Is(err, syscall.EMFILE):
		return "every connection is an open file: raise the limit of this process with ulimit -n, or use fewer connections"
	case errors.Is(err, syscall.ENFILE):
		return "the whole machine has too many open files: close other programs, or raise fs.file-max"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "all local ports towards that address are in use, those of connections closed in the last minute too; use fewer connections, or widen net.ipv4.ip_local_port_range"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return "this user may not connect there: check the permissions of the socket, or the firewall"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the server hung up: does this port want TLS (--tls), or speak another protocol?"
	}
	return ""
}
