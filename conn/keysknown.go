package conn

import (
	"slices"
	"strconv"
	"strings"
)

// What is known of commands, for servers that do not tell.

// keyless are commands without keys.
const keyless = ` acl asking auth bgrewriteaof bgsave client cluster command config dbsize debug discard echo exec
	failover flushall flushdb function hello info keys lastsave latency lolwut module monitor multi ping psubscribe
	publish pubsub punsubscribe quit randomkey readonly readwrite replicaof reset role save scan script select shutdown
	slaveof slowlog subscribe swapdb sync time unsubscribe unwatch wait waitaof `

// readers are commands that only read.
const readers = ` bitcount bitfield_ro bitpos dbsize dump eval_ro evalsha_ro exists expiretime fcall_ro geodist geohash
	geopos georadius_ro georadiusbymember_ro geosearch get getbit getrange hexists hget hgetall hkeys hlen hmget hrandfield
	hscan hstrlen hvals keys lcs lindex llen lpos lrange mget pexpiretime pfcount pttl randomkey scan scard sdiff sinter
	sintercard sismember smembers smismember sort_ro srandmember sscan strlen substr sunion touch ttl type xlen xpending
	xrange xread xrevrange zcard zcount zdiff zinter zintercard zlexcount zmscore zrandmember zrange zrangebylex
	zrangebyscore zrank zrevrange zrevrangebylex zrevrangebyscore zrevrank zscan zscore zunion
	json.get json.mget json.type json.strlen json.arrlen json.arrindex json.objkeys json.objlen json.resp `

// Keyless reports whether a command is known to have no keys, whatever its
// arguments; shard channels are none.
func Keyless(name string) bool {
	return listed(keyless, name) || listed("spublish ssubscribe sunsubscribe", name)
}

// listed reports whether a list of words has the lower case of word.
func listed(words, word string) bool {
	return word != "" && slices.Contains(strings.Fields(words), strings.ToLower(word))
}

// knownReadOnly reports whether a command is known to only read.
func knownReadOnly(args []string) bool {
	return len(args) > 0 && listed(readers, args[0])
}

// knownPositions returns the positions of the keys of commands where they are
// not simply the first argument, as far as such commands are known.
func knownPositions(args []string) (positions []int, known bool) {
	if len(args) == 0 {
		return nil, true
	}
	if listed(keyless, args[0]) {
		return nil, true
	}
	switch strings.ToLower(args[0]) {
	case "eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro", "blmpop", "bzmpop":
		return counted(args, 2), true
	case "zunion", "zinter", "zdiff", "zintercard", "sintercard", "lmpop", "zmpop":
		return counted(args, 1), true
	case "zunionstore", "zinterstore", "zdiffstore":
		return append(from(args, 1, 1), counted(args, 2)...), true
	case "del", "unlink", "exists", "touch", "mget", "sdiff", "sinter", "sunion", "sdiffstore", "sinterstore",
		"sunionstore", "pfcount", "pfmerge", "watch":
		return from(args, 1, len(args)-1), true
	case "mset", "msetnx":
		return slices.DeleteFunc(from(args, 1, len(args)-1), func(p int) bool { return p%2 == 0 }), true
	case "rename", "renamenx", "rpoplpush", "brpoplpush", "lmove", "blmove", "smove", "copy", "lcs", "geosearchstore", "zrangestore":
		return from(args, 1, 2), true
	case "blpop", "brpop", "bzpopmin", "bzpopmax":
		return from(args, 1, len(args)-2), true
	case "bitop":
		return from(args, 2, len(args)-2), true
	case "object", "memory", "xgroup", "xinfo":
		return from(args, 2, 1), true
	case "xread", "xreadgroup":
		return streams(args), true
	}
	return nil, false
}

// shardChannels returns the positions of the shard channels: to servers they are
// no keys, and have slots like keys.
func shardChannels(args []string) []int {
	switch {
	case len(args) == 0:
		return nil
	case strings.EqualFold(args[0], "spublish"):
		return from(args, 1, 1)
	case listed("ssubscribe sunsubscribe", args[0]):
		return from(args, 1, len(args)-1)
	}
	return nil
}

// from returns n positions from first on, as far as there are arguments.
func from(args []string, first, n int) []int {
	var positions []int
	for p := first; p < len(args) && p < first+n; p++ {
		positions = append(positions, p)
	}
	return positions
}

// counted returns the positions of as many keys as the argument before them
// says.
func counted(args []string, at int) []int {
	if at >= len(args) {
		return nil
	}
	n, err := strconv.Atoi(args[at])
	if err != nil || n < 0 || n > len(args) {
		return nil
	}
	return from(args, at+1, n)
}

// streams returns the positions of the keys of XREAD: the first half of what
// follows STREAMS.
func streams(args []string) []int {
	for p := 1; p < len(args); p++ {
		if strings.EqualFold(args[p], "streams") {
			return from(args, p+1, (len(args)-p-1)/2)
		}
	}
	return nil
}
