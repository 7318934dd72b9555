package template

// fillUUID writes a random UUID, version 4 and variant 2 of RFC 9562 section
// 5.4, into b[:36].
func fillUUID(b []byte, rng *stream) {
	const hexDigits = "0123456789abcdef"
	high := rng.next()&^0xf000 | 0x4000
	low := rng.next()&^(3<<62) | 2<<62
	b = b[:uuidBytes]
	at := 0
	for _, half := range [2]uint64{high, low} {
		for shift := 60; shift >= 0; shift -= 4 {
			if at == 8 || at == 13 || at == 18 || at == 23 {
				b[at] = '-'
				at++
			}
			b[at] = hexDigits[half>>shift&0xf]
			at++
		}
	}
}
