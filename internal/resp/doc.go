// Package resp is the wire format of Redis-protocol servers, RESP2 and RESP3:
// functions that append commands to a byte slice, a Scanner that finds the end
// of each reply in a stream that may stop at any byte, and ReadValue for the
// few replies whose content matters.
//
// It never opens a connection, never decides what a reply means to a run, and
// imports no other package of respbench. The format is the one described at
// https://redis.io/docs/latest/develop/reference/protocol-spec/, read
// strictly: what the description does not allow is malformed, because a client
// that guesses after a wrong byte pairs every later reply with the wrong
// request. Three points where the description leaves room:
//
//   - an integer (':') may carry a sign, so :+5 and :-0 are integers; a length
//     is digits alone, but for the -1 of a RESP2 null ($-1 and *-1);
//   - a double (',') is any non-empty text of digits, signs, dots and the
//     letters of inf, nan and e, because servers print it with their C library;
//   - a push ('>') is a reply of its own and never part of another one.
//
// Streamed strings and aggregates ($?, *?) exist in the RESP3 proposal but in
// no server; they are malformed.
package resp
