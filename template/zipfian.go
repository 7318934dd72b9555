package template

import "math"

// zipfian draws ranks 0..size-1 with probabilities proportional to
// (rank+1)^-exponent, by rejection-inversion: W. Hörmann and G. Derflinger,
// "Rejection-inversion to generate variates from monotone discrete
// distributions", ACM TOMACS 6(3), 1996, with their algorithm ZRI's shift
// v = 1. It needs no table, and about one draw in the mean for every exponent
// and size.
//
// The hat is h(x) = x^-exponent for x = rank+1; H is its integral from 1. A
// uniform point under the hat's histogram is inverted by H and rounded to a
// rank, and rejected where it lies above the rank's probability.
//
// It computes in double precision: the law is exact but for relative errors
// of about 10^-15, and for size above 2^50 single ranks of the far tail are
// no longer told apart.
type zipfian struct {
	exponent float64
	power    float64 // 1-exponent
	from, to float64 // the points drawn from, H(size+1/2) and H(3/2)-h(1)
	squeeze  float64 // a point so near below its rank is always accepted
	size     uint64
	most     float64 // size
}

func newZipfian(exponent float64, size uint64) *zipfian {
	z := &zipfian{exponent: exponent, power: 1 - exponent, size: size, most: float64(size)}
	z.from = z.integral(z.most + 0.5)
	z.to = z.integral(1.5) - 1
	z.squeeze = 2 - z.inverse(z.integral(2.5)-z.hat(2))
	return z
}

// rank returns a rank, 0 the most popular.
func (z *zipfian) rank(rng *stream) uint64 {
	for {
		u := z.from + unitInterval(rng.next())*(z.to-z.from)
		x := z.inverse(u)
		k := min(max(math.Floor(x+0.5), 1), z.most)
		if k-x <= z.squeeze || u >= z.integral(k+0.5)-z.hat(k) {
			return min(uint64(k)-1, z.size-1)
		}
	}
}

// hat returns h(x).
func (z *zipfian) hat(x float64) float64 { return math.Exp(-z.exponent * math.Log(x)) }

// integral returns H(x) = (x^power - 1) / power, or log x at power 0; written
// so that it is accurate around 0, too.
func (z *zipfian) integral(x float64) float64 {
	log := math.Log(x)
	t := z.power * log
	if t == 0 {
		return log
	}
	return math.Expm1(t) / t * log
}

// inverse returns the x with integral(x) = y.
func (z *zipfian) inverse(y float64) float64 {
	t := max(z.power*y, -1) // rounding may lead just below
	if t == 0 {
		return math.Exp(y)
	}
	return math.Exp(math.Log1p(t) / t * y)
}
