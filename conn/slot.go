package conn

import "bytes"

// NumSlots is how many hash slots a cluster has.
const NumSlots = 16384

// KeySlot returns the hash slot of a key, 0 to NumSlots-1, as the Redis Cluster
// specification defines it: the CRC16 of the key, or of its hash tag. The hash
// tag is what stands between the first '{' and the next '}', unless that is
// nothing.
func KeySlot(key []byte) int {
	if open := bytes.IndexByte(key, '{'); open >= 0 {
		tag := key[open+1:]
		if end := bytes.IndexByte(tag, '}'); end > 0 {
			key = tag[:end]
		}
	}
	return int(crc16(key)) % NumSlots
}

// crc16 is CRC-16/XMODEM: polynomial 0x1021, initial value 0, nothing reflected.
// Eight bytes are taken at once, each through a table of its own; what is left
// over goes byte by byte.
func crc16(b []byte) uint16 {
	t := &crcTables
	var crc uint16
	for len(b) >= 8 {
		crc = t[7][b[0]^byte(crc>>8)] ^ t[6][b[1]^byte(crc)] ^
			t[5][b[2]] ^ t[4][b[3]] ^ t[3][b[4]] ^ t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]]
		b = b[8:]
	}
	for _, c := range b {
		crc = crc<<8 ^ t[0][byte(crc>>8)^c]
	}
	return crc
}

// crcTables holds for each byte what it adds to the CRC, if it is the last byte
// (table 0), and if 1 to 7 zero bytes follow it.
var crcTables = makeCRCTables()

func makeCRCTables() (t [8][256]uint16) {
	for i := range 256 {
		crc := uint16(i) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
		t[0][i] = crc
	}
	for n := 1; n < len(t); n++ {
		for i := range 256 {
			crc := t[n-1][i]
			t[n][i] = crc<<8 ^ t[0][crc>>8]
		}
	}
	return t
}
