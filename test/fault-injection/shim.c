/*
 * Fault injection for one process: a library to preload (LD_PRELOAD) that counts what is done to the
 * files below a folder, and fails it, tears it, or kills the process at it. Linux. `shim.ts` sets it up.
 *
 * Operations: create, write, truncate, sync, rename, unlink, link, mkdir, copy; and read, of a file's beginning, where a rule
 * names it. Memory maps are not seen.
 *
 *   FAULTS_UNDER    the folder
 *   FAULTS_LOG      a line per operation: number, operation, path, size, outcome; separated by tabs
 *   FAULTS_KILL_AT  number of the operation at which the process is killed
 *   FAULTS_KILL_HOW `before` the operation, or `half` way through a write
 *   FAULTS_RULES    operations:end of path:fault:when;… where `when` is FIRST-LAST among those that match, or a probability
 *   FAULTS_SEED     of the probabilities
 *   FAULTS_SWITCH   a file; rules hold while its first byte is 1. Without it they always hold
 *   FAULTS_RECORD   a file that gets each operation with its bytes, for `record.ts`
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum outcome { DONE, SHORT, TORN, FAILED, HALF_AND_KILLED };

struct rule { char operations[64], end[64]; enum outcome outcome; int error; long first, last, seen; double probability; };

static long (*real)(long, ...);
static const char *under;
static size_t under_length;
static int log_file = -1, record_file = -1;
static long count, kill_at;
static int kill_half;
static uint64_t seed;
static volatile const char *enabled = "1";
static struct rule rules[16];
static int rule_count, reads_count;
/* Serialises operations, so that log and record have their order. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int open_beside(const char *name) {
	const char *file = getenv(name);
	return file ? real(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

static void read_rule(char *text) {
	struct rule *rule = &rules[rule_count++];
	char fault[16] = "", when[32] = "";
	if (rule_count > 16 || sscanf(text, "%63[^:]:%63[^:]:%15[^:]:%31s", rule->operations, rule->end, fault, when) != 4) {
		fprintf(stderr, "FAULTS_RULES: no rule: %s\n", text);
		_exit(99);
	}
	reads_count |= strstr(rule->operations, "read") != NULL;
	rule->outcome = !strcmp(fault, "short") ? SHORT : !strcmp(fault, "torn") ? TORN : FAILED;
	rule->error = !strcmp(fault, "EIO") ? EIO : ENOSPC;
	if (sscanf(when, "%ld-%ld", &rule->first, &rule->last) != 2) rule->probability = atof(when);
}

__attribute__((constructor)) static void begin(void) {
	real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	under = getenv("FAULTS_UNDER");
	if (!under) return;
	under_length = strlen(under);
	log_file = open_beside("FAULTS_LOG");
	record_file = open_beside("FAULTS_RECORD");
	kill_at = getenv("FAULTS_KILL_AT") ? atol(getenv("FAULTS_KILL_AT")) : 0;
	kill_half = getenv("FAULTS_KILL_HOW") && !strcmp(getenv("FAULTS_KILL_HOW"), "half");
	seed = getenv("FAULTS_SEED") ? strtoull(getenv("FAULTS_SEED"), NULL, 10) : 1;
	char *text = getenv("FAULTS_RULES") ? strdup(getenv("FAULTS_RULES")) : NULL;
	for (char *part = text; part; ) read_rule(strsep(&part, ";"));
	if (getenv("FAULTS_SWITCH")) {
		int file = real(SYS_openat, AT_FDCWD, getenv("FAULTS_SWITCH"), O_RDONLY | O_CLOEXEC);
		enabled = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
		if (enabled == MAP_FAILED) _exit(98);
	}
}

static double chance(void) {
	uint64_t z = seed * 0x9E3779B97F4A7C15u + (uint64_t)count * 0xD1B54A32D192ED03u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return (double)((z ^ (z >> 31)) >> 11) / (double)(1ull << 53);
}

static int matches(const struct rule *rule, const char *operation, const char *path) {
	char listed[80], wanted[20];
	size_t length = strlen(path), end = strcmp(rule->end, "*") ? strlen(rule->end) : 0;
	snprintf(listed, sizeof listed, ",%s,", rule->operations);
	snprintf(wanted, sizeof wanted, ",%s,", operation);
	return (!strcmp(rule->operations, "*") || strstr(listed, wanted)) && length >= end && !memcmp(path + length - end, rule->end, end);
}

/* Decides the outcome of an operation. Called with the lock, which `leave` releases. */
static enum outcome decide(const char *operation, const char *path, size_t size) {
	enum outcome outcome = DONE;
	const char *word = "done";
	count++;
	if (count == kill_at) {
		outcome = kill_half ? HALF_AND_KILLED : FAILED;
		word = "killed";
	} else if (*enabled == '1') {
		for (int i = 0; i < rule_count && outcome == DONE; i++) {
			struct rule *rule = &rules[i];
			if (!matches(rule, operation, path)) continue;
			rule->seen++;
			if (rule->last ? rule->seen >= rule->first && rule->seen <= rule->last : chance() < rule->probability) {
				/* Only a write of more than a byte can be cut. */
				outcome = rule->outcome != FAILED && size < 2 ? FAILED : rule->outcome;
				errno = rule->error;
				word = outcome == SHORT ? "short" : outcome == TORN ? "torn" : errno == EIO ? "EIO" : "ENOSPC";
			}
		}
	}
	if (log_file >= 0) {
		int error = errno;
		char line[PATH_MAX + 100];
		int length = snprintf(line, sizeof line, "%ld\t%s\t%s\t%zu\t%s\n", count, operation, path, size, word);
		real(SYS_write, log_file, line, length);
		errno = error;
	}
	if (count == kill_at && outcome == FAILED) for (;;) kill(getpid(), SIGKILL);
	return outcome;
}

struct header { uint32_t operation_length, path_length, to_length, data_length; int64_t result, offset; };

/* Records the end of an operation, and releases the lock. The result is that of a system call. */
static long leave(const char *operation, const char *path, const char *to, const void *data, size_t length, int64_t offset, long result) {
	int error = errno;
	if (record_file >= 0) {
		struct header header = {strlen(operation), strlen(path), to ? strlen(to) : 0, data ? length : 0, result, offset};
		struct iovec parts[] = {{&header, sizeof header}, {(void *)operation, header.operation_length}, {(void *)path, header.path_length}, {(void *)to, header.to_length}, {(void *)data, header.data_length}};
		real(SYS_writev, record_file, parts, 5);
	}
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}

static int is_under(const char *path) {
	return under && !strncmp(path, under, under_length) && (path[under_length] == '/' || !path[under_length]);
}

static int path_of(int file, char *path) {
	char name[40];
	if (!under) return 0;
	snprintf(name, sizeof name, "/proc/self/fd/%d", file);
	int error = errno;
	long length = real(SYS_readlinkat, AT_FDCWD, name, path, PATH_MAX - 1);
	errno = error;
	path[length < 0 ? 0 : length] = 0;
	return is_under(path);
}

static int path_at(int folder, const char *name, char *path) {
	char base[PATH_MAX] = "";
	if (!under || !name) return 0;
	if (name[0] != '/' && (folder == AT_FDCWD ? !getcwd(base, sizeof base) : (path_of(folder, base), !base[0]))) return 0;
	snprintf(path, PATH_MAX, name[0] == '/' ? "%s%s" : "%s/%s", base, name);
	return is_under(path);
}

static long put(int file, const void *data, size_t size, int64_t offset) {
	return offset < 0 ? real(SYS_write, file, data, size) : real(SYS_pwrite64, file, data, size, offset);
}

static ssize_t do_write(int file, const void *data, size_t size, int64_t offset) {
	char path[PATH_MAX];
	if (!path_of(file, path)) return put(file, data, size, offset);
	pthread_mutex_lock(&lock);
	enum outcome outcome = decide("write", path, size);
	int error = errno;
	long result = outcome == FAILED ? -1 : put(file, data, outcome == DONE ? size : size / 2, offset);
	if (outcome == HALF_AND_KILLED) for (;;) kill(getpid(), SIGKILL);
	/* Asked after the write: before it, a file that is appended to may have another position. */
	int64_t at = offset >= 0 || result < 0 ? offset : real(SYS_lseek, file, 0, SEEK_CUR) - result;
	if (outcome == FAILED || outcome == TORN) errno = error;
	leave("write", path, NULL, data, result < 0 ? 0 : result, at, result);
	return outcome == TORN ? -1 : result;
}

ssize_t write(int file, const void *data, size_t size) { return do_write(file, data, size, -1); }
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return do_write(file, data, size, offset); }
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) { return do_write(file, data, size, offset); }

static ssize_t do_writev(int file, const struct iovec *parts, int number, int64_t offset) {
	char path[PATH_MAX];
	if (!path_of(file, path)) return offset < 0 ? real(SYS_writev, file, parts, number) : real(SYS_pwritev, file, parts, number, offset, 0);
	size_t size = 0, done = 0;
	for (int i = 0; i < number; i++) size += parts[i].iov_len;
	char *whole = malloc(size + 1);
	for (int i = 0; i < number; done += parts[i++].iov_len) memcpy(whole + done, parts[i].iov_base, parts[i].iov_len);
	ssize_t result = do_write(file, whole, size, offset);
	free(whole);
	return result;
}

ssize_t writev(int file, const struct iovec *parts, int number) { return do_writev(file, parts, number, -1); }
ssize_t pwritev(int file, const struct iovec *parts, int number, off_t offset) { return do_writev(file, parts, number, offset); }
ssize_t pwritev64(int file, const struct iovec *parts, int number, off64_t offset) { return do_writev(file, parts, number, offset); }

/* An operation without bytes: the call is made unless it is to fail. */
#define SIMPLE(operation, is_counted, path, to, size, call) \
	if (!(is_counted)) return call; \
	pthread_mutex_lock(&lock); \
	return leave(operation, path, to, NULL, 0, size, decide(operation, path, 0) == DONE ? (call) : -1)

ssize_t pread64(int file, void *data, size_t size, off64_t offset) {
	char path[PATH_MAX];
	SIMPLE("read", reads_count && offset == 0 && path_of(file, path), path, NULL, offset, real(SYS_pread64, file, data, size, offset));
}
ssize_t pread(int file, void *data, size_t size, off_t offset) { return pread64(file, data, size, offset); }
int ftruncate64(int file, off64_t size) {
	char path[PATH_MAX];
	SIMPLE("truncate", path_of(file, path), path, NULL, size, real(SYS_ftruncate, file, size));
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }
int fsync(int file) {
	char path[PATH_MAX];
	SIMPLE("sync", path_of(file, path), path, NULL, 0, real(SYS_fsync, file));
}
int fdatasync(int file) {
	char path[PATH_MAX];
	SIMPLE("sync", path_of(file, path), path, NULL, 0, real(SYS_fdatasync, file));
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
	char path[PATH_MAX], target[PATH_MAX];
	int counted = path_at(from_folder, from, path) | path_at(to_folder, to, target);
	SIMPLE("rename", counted, path, target, 0, real(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) { return renameat2(from_folder, from, to_folder, to, 0); }
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
	char path[PATH_MAX], target[PATH_MAX];
	int counted = path_at(from_folder, from, path) | path_at(to_folder, to, target);
	SIMPLE("link", counted, path, target, 0, real(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlinkat(int folder, const char *name, int flags) {
	char path[PATH_MAX];
	SIMPLE("unlink", path_at(folder, name, path), path, NULL, 0, real(SYS_unlinkat, folder, name, flags));
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char *name) {
	int error = errno;
	if (unlink(name) == 0) return 0;
	if (errno != EISDIR) return -1;
	errno = error;
	return rmdir(name);
}
int mkdirat(int folder, const char *name, mode_t mode) {
	char path[PATH_MAX];
	struct stat found;
	int counted = path_at(folder, name, path) && fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0;
	SIMPLE("mkdir", counted, path, NULL, 0, real(SYS_mkdirat, folder, name, mode));
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

/* Opening counts if it creates or empties a file. */
static int do_open(int folder, const char *name, int flags, mode_t mode) {
	char path[PATH_MAX];
	struct stat found;
	int error = errno;
	int writes = flags & (O_CREAT | O_TRUNC) && path_at(folder, name, path);
	int exists = writes && fstatat(folder, name, &found, 0) == 0;
	errno = error;
	SIMPLE(exists ? "truncate" : "create", writes && (exists ? flags & O_TRUNC && found.st_size > 0 : flags & O_CREAT), path, NULL, 0, real(SYS_openat, folder, name, flags, mode));
}

#define MODE ({ va_list rest; va_start(rest, flags); mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; va_end(rest); mode; })
int open(const char *name, int flags, ...) { return do_open(AT_FDCWD, name, flags, MODE); }
int open64(const char *name, int flags, ...) { return do_open(AT_FDCWD, name, flags, MODE); }
int openat(int folder, const char *name, int flags, ...) { return do_open(folder, name, flags, MODE); }
int openat64(int folder, const char *name, int flags, ...) { return do_open(folder, name, flags, MODE); }

/* libuv copies files by this call, since the C library may lack a function for it. Copied bytes are not in the record. */
long syscall(long number, ...) {
	long given[6];
	char path[PATH_MAX];
	va_list rest;
	va_start(rest, number);
	for (int i = 0; i < 6; i++) given[i] = va_arg(rest, long);
	va_end(rest);
	if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	SIMPLE("copy", number == SYS_copy_file_range && path_of(given[2], path), path, NULL, 0, real(number, given[0], given[1], given[2], given[3], given[4], given[5]));
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
	char path[PATH_MAX];
	SIMPLE("copy", path_of(to, path), path, NULL, 0, real(SYS_sendfile, to, from, offset, size));
}
ssize_t sendfile(int to, int from, off_t *offset, size_t size) { return sendfile64(to, from, offset, size); }
