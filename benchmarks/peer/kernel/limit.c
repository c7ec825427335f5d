/*
 * The limit: the kernels' work in C, as fast as this machine can do it. Compiled with
 * `-O3 -march=native` by the benchmark that starts it.
 *
 * The same steps as the WebAssembly kernel, with vectors as wide as the machine's and products
 * that are fused with their sums. As there, what is known of unchanged rows is cached. Cycles write
 * the new thirdness to two places in turn; nothing is allocated.
 *
 * Speaks lines: `cycle N`, `profile N` and `nearest N` run a task N times and answer with the
 * nanoseconds of one; `results` answers with what each task computes, as JSON.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

enum { WIDTH = 1024, ROWS = 8, INPUTS = 64, DIRECTIONS = 128, OWN = DIRECTIONS / ROWS, MANY = 10000, BEST = 10 };

/* 4 KiB and a cache line, so that rows do not compete for the same cache sets. */
enum { STRIDE = WIDTH + 16 };

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4)));

/* Not constant, so that the compiler cannot leave out terms that are zero. */
static struct { double secondness, thirdness, valeurs, limit; } volatile pull = {0.0225, 0.0125, 0, 0.001};

static float *state, *spare, *reference, *inputs, *directions, *many;
static float *thirdness;
static double norms[ROWS], reference_norms[ROWS], many_norms[MANY];
static double cosines[ROWS], distances[ROWS], gaps[3], drift, step, third_second, third_values;
static double first_norm, first_distance;
static double values[2][DIRECTIONS];
static struct { int place; double cosine; } best[BEST];

static inline lanes at(const float *p) { return *(const lanes *)p; }

typedef float four __attribute__((vector_size(16)));
typedef double exact __attribute__((vector_size(32)));

/* Added by halves, since sequential additions would wait for each other; the last four in float64. */
static inline double total(lanes v) {
	union { lanes all; four parts[LANES / 4]; } sum = {v};
#pragma GCC unroll 4
	for (int n = LANES / 8; n > 0; n /= 2)
		for (int i = 0; i < n; i++) sum.parts[i] += sum.parts[i + n];
	exact d = __builtin_convertvector(sum.parts[0], exact);
	return (d[0] + d[2]) + (d[1] + d[3]);
}

static double dot(const float *a, const float *b) {
	lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
	for (int i = 0; i < WIDTH; i += 4 * LANES) {
		s0 += at(a + i) * at(b + i);
		s1 += at(a + i + LANES) * at(b + i + LANES);
		s2 += at(a + i + 2 * LANES) * at(b + i + 2 * LANES);
		s3 += at(a + i + 3 * LANES) * at(b + i + 3 * LANES);
	}
	return total((s0 + s1) + (s2 + s3));
}

static double squared_gap(const float *a, const float *b) {
	lanes s0 = {0}, s1 = {0};
	for (int i = 0; i < WIDTH; i += 2 * LANES) {
		lanes x = at(a + i) - at(b + i), y = at(a + i + LANES) - at(b + i + LANES);
		s0 += x * x;
		s1 += y * y;
	}
	return total(s0 + s1);
}

static double angular(double squares, double a, double b) { return (squares - (a - b) * (a - b)) / (2 * a * b); }

static int is_clear(double squares, double parts) { return squares >= parts * parts / 16; }

static double gap(const float *e, double ee, double product, const float *row, double norm) {
	double squares = ee - 2 * product + norm * norm;
	return sqrt(is_clear(squares, sqrt(ee) + norm) ? squares : squared_gap(e, row));
}

static void cycle(const float *e) {
	double cs = pull.secondness, ct = pull.thirdness, cv = pull.valeurs, limit = pull.limit;
	const float *x = state, *s = state + STRIDE, *t = thirdness, *v = state + 7 * STRIDE, *r = reference + 2 * STRIDE;
	lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, s4 = {0}, s5 = {0}, s6 = {0}, s7 = {0}, see = {0}, sts = {0}, stv = {0};
	for (int i = 0; i < WIDTH; i += LANES) {
		lanes part = at(e + i), second = at(s + i), third = at(t + i), valeurs = at(v + i);
		s0 += part * at(x + i);
		s1 += part * second;
		s2 += part * third;
		s3 += part * at(x + 3 * STRIDE + i);
		s4 += part * at(x + 4 * STRIDE + i);
		s5 += part * at(x + 5 * STRIDE + i);
		s6 += part * at(x + 6 * STRIDE + i);
		s7 += part * valeurs;
		see += part * part;
		sts += third * second;
		stv += third * valeurs;
	}
	double dots[ROWS] = {total(s0), total(s1), total(s2), total(s3), total(s4), total(s5), total(s6), total(s7)};
	double ee = total(see), norm = sqrt(ee);
	third_second = total(sts);
	third_values = total(stv);
	for (int d = 0; d < ROWS; d++) cosines[d] = dots[d] / (norm * norms[d]);

	double ce = cs + ct + cv, ss = norms[1] * norms[1], tt = norms[2] * norms[2], vv = norms[7] * norms[7];
	double sv = cs == 0 || cv == 0 ? 0 : dot(s, v);
	double squares = ce * ce * ee - 2 * ce * (cs * dots[1] + ct * dots[2] + cv * dots[7])
		+ cs * cs * ss + ct * ct * tt + cv * cv * vv + 2 * (cs * ct * third_second + cs * cv * sv + ct * cv * third_values);
	double along = ce * dots[2] - cs * third_second - ct * tt - cv * third_values;
	if (!is_clear(squares, fabs(ce) * norm + fabs(cs) * norms[1] + fabs(ct) * norms[2] + fabs(cv) * norms[7])) {
		lanes rr = {0}, tr = {0};
		for (int i = 0; i < WIDTH; i += LANES) {
			lanes part = at(e + i), raw = (float)cs * (part - at(s + i)) + (float)ct * (part - at(t + i)) + (float)cv * (part - at(v + i));
			rr += raw * raw;
			tr += at(t + i) * raw;
		}
		squares = total(rr);
		along = total(tr);
	}

	double magnitude = sqrt(squares), cut = magnitude > limit ? limit / magnitude : 1;
	double length = sqrt(tt + 2 * cut * along + cut * cut * squares), inverse = 1 / length, scale = cut * inverse;
	float fe = scale * ce, fs = -scale * cs, ft = inverse - 1 - scale * ct, fv = -scale * cv;
	float *row = spare;
	lanes n0 = {0}, n1 = {0}, r0 = {0}, r1 = {0}, t0 = {0}, t1 = {0};
	for (int i = 0; i < WIDTH; i += 2 * LANES) {
		lanes third = at(t + i), low = third + (ft * third + fe * at(e + i) + fs * at(s + i) + fv * at(v + i));
		*(lanes *)(row + i) = low;
		n0 += low * low;
		lanes far = low - at(r + i), small = low - third;
		r0 += far * far;
		t0 += small * small;
		int j = i + LANES;
		lanes fourth = at(t + j), high = fourth + (ft * fourth + fe * at(e + j) + fs * at(s + j) + fv * at(v + j));
		*(lanes *)(row + j) = high;
		n1 += high * high;
		far = high - at(r + j);
		small = high - fourth;
		r1 += far * far;
		t1 += small * small;
	}
	gaps[0] = gap(e, ee, dots[1], s, norms[1]);
	gaps[1] = gap(e, ee, dots[2], t, norms[2]);
	gaps[2] = gap(e, ee, dots[7], v, norms[7]);
	double size = 0;
	for (int d = 0; d < ROWS; d++) size += norms[d] * norms[d];
	step = sqrt(total(t0 + t1) / size);
	drift += step;
	norms[2] = sqrt(total(n0 + n1));
	distances[2] = angular(total(r0 + r1), norms[2], reference_norms[2]);
	spare = thirdness;
	thirdness = row;
}

static float *first;

/* Back to the state that every run begins with. */
static void begin(void) {
	thirdness = state + 2 * STRIDE;
	spare = state + ROWS * STRIDE;
	memcpy(thirdness, first, 4 * WIDTH);
	norms[2] = first_norm;
	distances[2] = first_distance;
	drift = 0;
}

static void cycles(int count) {
	begin();
	for (int i = 0; i < count; i++) cycle(inputs + (size_t)(i % INPUTS) * STRIDE);
}

/* Eight directions of one row at a time, on both states: each direction is read once. */
static void project(int row, const float *v, double *x_out, double *y_out) {
	const float *x = state + row * STRIDE, *y = reference + row * STRIDE;
	lanes a[8] = {0}, b[8] = {0};
	for (int i = 0; i < WIDTH; i += LANES) {
		lanes p = at(x + i), q = at(y + i);
#pragma GCC unroll 8
		for (int k = 0; k < 8; k++) {
			lanes part = at(v + k * STRIDE + i);
			a[k] += p * part;
			b[k] += q * part;
		}
	}
	for (int k = 0; k < 8; k++) {
		x_out[k] = total(a[k]);
		y_out[k] = total(b[k]);
	}
}

static void profile(void) {
	for (int place = 0; place < DIRECTIONS; place += 8)
		project(place / OWN, directions + (size_t)place * STRIDE, values[0] + place, values[1] + place);
}

static void nearest(const float *e) {
	double norm = sqrt(dot(e, e));
	int found = 0;
	for (int place = 0; place < MANY; place++) {
		double cosine = dot(e, many + (size_t)place * WIDTH) / (norm * many_norms[place]);
		if (found == BEST && cosine <= best[BEST - 1].cosine) continue;
		if (found < BEST) found++;
		int rank = found - 1;
		for (; rank > 0 && cosine > best[rank - 1].cosine; rank--) best[rank] = best[rank - 1];
		best[rank].place = place;
		best[rank].cosine = cosine;
	}
}

static double now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Huge pages if the system grants them, since the search is bound by memory. */
static float *memory(size_t floats) {
	size_t bytes = (floats * 4 + (2 << 20)) & ~(size_t)((2 << 20) - 1);
	void *p = aligned_alloc(2 << 20, bytes);
	if (!p) exit(1);
#ifdef MADV_HUGEPAGE
	madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return p;
}

static void load(FILE *file, float *to, int count, int stride) {
	for (int i = 0; i < count; i++)
		if (fread(to + (size_t)i * stride, 4, WIDTH, file) != WIDTH) exit(1);
}

static void print_all(const char *name, const double *numbers, int count) {
	printf("\"%s\":[", name);
	for (int i = 0; i < count; i++) printf("%s%.17g", i ? "," : "", numbers[i]);
	printf("]");
}

static void results(void) {
	static double row[WIDTH], by_index[2 * DIRECTIONS], near[BEST], places[BEST];
	begin();
	profile();
	nearest(inputs);
	cycles(100);
	for (int i = 0; i < WIDTH; i++) row[i] = thirdness[i];
	/* Direction i is projected on row i % 8, and lies with the others of its row. */
	for (int i = 0; i < DIRECTIONS; i++)
		for (int k = 0; k < 2; k++) by_index[k * DIRECTIONS + i] = values[k][i % ROWS * OWN + i / ROWS];
	for (int i = 0; i < BEST; i++) {
		near[i] = best[i].cosine;
		places[i] = best[i].place;
	}
	printf("{");
	print_all("thirdness", row, WIDTH);
	printf(",");
	print_all("cosines", cosines, ROWS);
	printf(",");
	print_all("gaps", gaps, 3);
	printf(",");
	print_all("distances", distances, ROWS);
	printf(",\"drift\":%.17g,", drift);
	print_all("profile", by_index, 2 * DIRECTIONS);
	printf(",");
	print_all("places", places, BEST);
	printf(",");
	print_all("near", near, BEST);
	printf("}\n");
}

int main(int argc, char **argv) {
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!file) return 1;
	/* The rows of the state, a place for the next thirdness, the reference, inputs, directions. The stride includes a free line before each. */
	float *all = memory((size_t)(2 * ROWS + 2 + INPUTS + DIRECTIONS) * STRIDE);
	state = all;
	reference = all + (ROWS + 1) * STRIDE;
	first = reference + ROWS * STRIDE;
	inputs = first + STRIDE;
	directions = inputs + INPUTS * STRIDE;
	many = memory((size_t)MANY * WIDTH);
	load(file, state, ROWS, STRIDE);
	load(file, reference, ROWS, STRIDE);
	load(file, inputs, INPUTS, STRIDE);
	for (int i = 0; i < DIRECTIONS; i++) load(file, directions + (size_t)(i % ROWS * OWN + i / ROWS) * STRIDE, 1, STRIDE);
	load(file, many, MANY, WIDTH);
	fclose(file);
	memcpy(first, state + 2 * STRIDE, 4 * WIDTH);
	for (int d = 0; d < ROWS; d++) {
		norms[d] = sqrt(dot(state + d * STRIDE, state + d * STRIDE));
		reference_norms[d] = sqrt(dot(reference + d * STRIDE, reference + d * STRIDE));
		distances[d] = angular(squared_gap(state + d * STRIDE, reference + d * STRIDE), norms[d], reference_norms[d]);
	}
	first_norm = norms[2];
	first_distance = distances[2];
	for (int i = 0; i < MANY; i++) many_norms[i] = sqrt(dot(many + (size_t)i * WIDTH, many + (size_t)i * WIDTH));

	char line[64], task[32];
	int count;
	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "%31s %d", task, &count) < 2) {
			results();
		} else {
			double began = now();
			if (*task == 'c') {
				cycles(count);
			} else {
				for (int i = 0; i < count; i++) {
					if (*task == 'p') profile();
					else nearest(inputs + (size_t)(i % INPUTS) * STRIDE);
				}
			}
			printf("%.1f\n", (now() - began) / count);
		}
		fflush(stdout);
	}
	return 0;
}
