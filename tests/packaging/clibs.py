"""The C libraries that the tests of packaging compile with, each with a compiler for it, and their headers.
SPDX-License-Identifier: Apache-2.0
"""

import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEEP = bool(os.environ.get("LATKEM_TEST_DEEP"))
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpointer-arith", "-Wshadow", "-Wvla", "-Werror"]

# C11, POSIX.1-2017, and further headers of C libraries; those of Windows have an order.
HEADERS = """
aio alloca argz arpa/inet assert byteswap complex cpio crypt ctype dirent dlfcn endian envz err errno error execinfo
fcntl fenv float fmtmsg fnmatch fts ftw getopt glob grp iconv ifaddrs inttypes iso646 langinfo libgen limits link
locale malloc math memory monetary mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types obstack poll printf
pthread pty pwd regex resolv sched search semaphore setjmp shadow signal spawn stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib stdnoreturn string strings stropts sys/auxv sys/cdefs sys/endian sys/epoll sys/eventfd
sys/file sys/ioctl sys/ipc sys/mman sys/msg sys/param sys/prctl sys/ptrace sys/queue sys/random sys/resource
sys/select sys/sem sys/sendfile sys/shm sys/socket sys/stat sys/statvfs sys/syscall sys/sysctl sys/sysinfo
sys/sysmacros sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios tgmath threads time
uchar ucontext ulimit unistd util utime utmpx wchar wctype wordexp winsock2 windows bcrypt
"""


@dataclass(frozen=True)
class CLibrary:
    name: str
    command: tuple[str, ...]  # a compiler of C for it
    machine: str = ""  # it must compile the backends of this machine too
    lacks: frozenset[str] = frozenset()  # headers that are there and refuse to be included
    is_native: bool = False  # the C library of this machine, which has libcrypto beside it

    @property
    def is_zig(self) -> bool:
        return self.command[0].endswith("zig")

    def compiles(self, options: list[str], source: Path) -> str:
        """Why a file does not compile, or nothing."""
        # For -fsyntax-only zig makes a whole C library first.
        end = ["-c", "-o", "out.o"] if self.is_zig else ["-fsyntax-only"]
        with tempfile.TemporaryDirectory() as work:
            command = [*self.command, *options, str(source), *end]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=work)
        return done.stderr if done.returncode else ""

    def precompile(self, options: list[str], header: Path) -> None:
        """Makes `-include` of a header quick for sources that are compiled with the same options."""
        if "zig" not in self.command[0]:
            out = header.with_name(header.name + (".pch" if "clang" in self.command[0] else ".gch"))
            command = [*self.command, *options, "-x", "c-header", str(header), "-o", str(out)]
            subprocess.run(command, capture_output=True, check=False)

    def headers(self) -> str:
        """Text that includes all its headers."""
        names = [f"{name}.h" for name in HEADERS.split() if name not in self.lacks]
        return "".join(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n" for name in names)


def zig_for(target: str) -> tuple[str, ...]:
    """The compiler of the PyPI package ziglang, which has the headers of Apple's and the BSDs' C libraries."""
    found = sorted((ROOT / "build" / "venv").glob("lib/python3*/site-packages/ziglang/zig"))
    return (str(found[-1]) if found else "zig", "cc", "-fno-sanitize=all", "-target", target)


def here() -> list[CLibrary]:
    """Those that this machine has compilers for; the others are named on standard output."""
    wasi = ["clang-19", "--target=wasm32-wasi", "-nostdlibinc", "-isystem", "/usr/include/wasm32-wasi"]
    wasi += [f"-D_WASI_EMULATED_{name}" for name in ("SIGNAL", "MMAN", "PROCESS_CLOCKS")]
    known = [
        CLibrary("glibc", (os.environ.get("CC", "cc"),), platform.machine(), is_native=True),
        CLibrary("glibc for AArch64", ("aarch64-linux-gnu-gcc-12",), "aarch64"),
        CLibrary("musl", ("musl-gcc",)),
        CLibrary("WASI", tuple(wasi), lacks=frozenset({"setjmp"})),
    ]
    if DEEP:
        os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(ROOT / "build" / "zig"))
        cortex = ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-DLATKEM_NO_OS_RANDOM")
        known += [
            CLibrary("newlib", cortex, lacks=frozenset({"dirent", "termios", "threads"})),
            CLibrary("mingw-w64", ("x86_64-w64-mingw32-gcc-posix",), "x86_64"),
            CLibrary("macOS", zig_for("aarch64-macos"), lacks=frozenset({"ucontext"})),
            CLibrary("NetBSD", zig_for("x86_64-netbsd")),
            CLibrary("FreeBSD", zig_for("x86_64-freebsd")),
            CLibrary("OpenBSD", zig_for("x86_64-openbsd")),
        ]
    for library in known:
        if not shutil.which(library.command[0]):
            print(f"skipped: {library.name}, as there is no {library.command[0]}")
    return [library for library in known if shutil.which(library.command[0])]
