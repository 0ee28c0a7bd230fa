// Inputs and outputs as shells, service managers and containers give them: descriptors that are open already, named in
// every way, pipes, links and devices. Each case is a script, which ends with status 0 if all is right.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "run.h"

namespace
{

const std::string set = "ML-KEM-512"; // ek 800, ct 768, ss 32

class CliStreams : public CommandTest
{
  protected:
    CliStreams()
    {
        make_keys(set);
        write("plain", std::string(300000, 'x'));
        EXPECT_EQ(run({"seal", set, "--ek", "ek", "--in", "plain", "--out", "sealed"}).status, 0);
    }
    // No descriptor of whoever runs the tests is open. The script's functions: L is the command, E an encapsulation without its ct, and refused a command that must fail with
    // this status and this text in its one line.
    void expect_right(const std::string &script) const
    {
        const std::string functions =
            std::string("set -e; exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; L() { '") + LATKEM_COMMAND + "' \"$@\"; }\n" +
            "S=" + set + "; E() { L encaps $S --ek ek --ss s --force \"$@\"; }\n" +
            "bytes() { test \"$(wc -c < $1)\" -eq $2; }\n"
            "refused() { want=$1; text=$2; shift 2; status=0; \"$@\" 2> err || status=$?;\n"
            "  test $status -eq $want; grep -qF \"$text\" err; test \"$(wc -l < err)\" -eq 1; }\n";
        std::ofstream(path("script")) << functions << script;
        const std::string line = "cd '" + path("") + "' && timeout 30 bash script > out.text 2> err.text";
        EXPECT_EQ(std::system(line.c_str()), 0) << script << read("err.text");
    }
};

TEST_F(CliStreams, AnOpenFileKeepsWhatItHolds)
{
    const char *const names[] = {"/dev/stdout",
                                 "/dev/fd/1",
                                 "/proc/self/fd/1",
                                 "/proc/thread-self/fd/1",
                                 "link",
                                 "link-to-link",
                                 "folder/1",
                                 "/dev/../dev/stdout",
                                 "/dev/./fd/1",
                                 "-"};
    for (const std::string name : names) {
        expect_right("ln -sf /dev/stdout link; ln -sf link link-to-link; ln -sfn /proc/self/fd folder\n"
                     "{ echo HEAD; E --ct " +
                     name +
                     "; echo TAIL; } > f; bytes f 778\n"
                     "test \"$(head -c 4 f)\" = HEAD; test \"$(tail -c 5 f)\" = TAIL\n"
                     "echo KEEP > log; E --ct " +
                     name +
                     " >> log; bytes log 773; test \"$(head -c 4 log)\" = KEEP\n"
                     "tail -c 768 log > c; L decaps $S --dk dk --ct c --ss - | cmp - s\n"
                     "{ echo HEAD; L seal $S --ek ek --in plain --out " +
                     name +
                     "; } > f; test \"$(head -c 4 f)\" = HEAD\n"
                     "tail -c +6 f | L open $S --dk dk --in - --out - | cmp - plain\n"
                     "{ echo HEAD; L open $S --dk dk --in sealed --out " +
                     name +
                     "; } > f; tail -c +6 f | cmp - plain\n"
                     "{ echo HEAD; L convert $S --in ek --format pem --out " +
                     name +
                     "; } > f; grep -q HEAD f\n"
                     "L convert --in f --format raw --out - | cmp - ek\n"
                     "{ echo HEAD; L keygen $S --save-seed seed --force --ek " +
                     name + "; } > f; bytes f 805\n");
    }
}

TEST_F(CliStreams, OtherDescriptors)
{
    expect_right("exec 3> f3 4> f4; echo BEFORE >&3; E --ct /dev/fd/3; echo AFTER >&3\n"
                 "bytes f3 781; head -c 6 f3 | grep -q BEFORE; tail -c 6 f3 | grep -q AFTER\n"
                 "L keygen $S --ek /dev/fd/4 --dk /proc/self/fd/3; bytes f4 800; bytes f3 2413\n"
                 "{ echo BEFORE >&2; E --ct /dev/stderr; echo AFTER >&2; } 2> f; bytes f 781\n"
                 "exec 5<> f5; echo BEFORE >&5; E --ct /dev/fd/5; bytes f5 775\n");
}

TEST_F(CliStreams, ClosedAndWrongOnes)
{
    expect_right(
        "echo old > old\n"
        "refused 1 '/dev/fd/9: Bad file descriptor' E --ct /dev/fd/9; test ! -e s\n"
        "for n in 3 4 5 6 7; do refused 1 \"/dev/fd/$n: Bad file descriptor\" E --ct /dev/fd/$n; done\n"
        "for n in 3 4 5 6 7; do refused 1 \"/dev/fd/$n: Bad file descriptor\" L check $S --ek /dev/fd/$n; done\n"
        "for n in 3 4 5 6 7; do refused 1 \"/dev/fd/$n: Bad file descriptor\" L encaps $S --ek ek --ct c --ss "
        "/dev/fd/$n; done; test ! -e c\n"
        "refused 1 '/dev/fd/3: Bad file descriptor' E --ct /dev/fd/3 3< old; test \"$(cat old)\" = old\n"
        "refused 1 '/dev/stdin: Bad file descriptor' E --ct /dev/stdin < old; test \"$(cat old)\" = old\n"
        "refused 1 'standard input: Bad file descriptor' L check $S --ek - <&-\n"
        "refused 1 '/dev/stdin: Bad file descriptor' L check $S --ek /dev/stdin <&-\n"
        "refused 1 '/dev/stdout: Bad file descriptor' E --ct /dev/stdout >&-\n"
        "refused 1 'standard output: Bad file descriptor' E --ct - >&-\n"
        "refused 1 '/dev/fd/3: No space left on device' E --ct /dev/fd/3 3> /dev/full\n"
        "test ! -e s\n");
}

// As cat does: what was read before is not read again.
TEST_F(CliStreams, InputsGoOnWhereTheyAre)
{
    for (const std::string name : {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
        expect_right("{ echo LINE; cat ek; } > f; { read line; L check $S --ek " + name +
                     "; } < f | grep -q fine\n"
                     "cat ek | L check $S --ek " +
                     name +
                     " | grep -q fine\n"
                     "L convert $S --in ek --format pem --out ek.pem\n"
                     "L check $S --ek " +
                     name +
                     " <<END | grep -q fine\n$(cat ek.pem)\nEND\n"
                     "L check $S --ek " +
                     name + " <<< \"$(cat ek.pem)\" | grep -q fine\n");
    expect_right("L check $S --ek /dev/fd/3 --dk /dev/fd/4 3< ek 4< dk > out; grep -q 'dk of' out\n"
                 "refused 2 '/dev/stdin: is named for two things' L check $S --ek - --dk /dev/stdin < ek\n"
                 "refused 2 '/dev/../dev/fd/3: is named for two things' L encaps $S --ek ek --ct /dev/fd/3 --ss "
                 "/dev/../dev/fd/3 3> f\n"
                 "refused 2 'is named for two things' L encaps $S --ek ek --ct /dev/stdout --ss - > f\n");
}

TEST_F(CliStreams, PipesOfTheShell)
{
    expect_right("L encaps $S --ek <(cat ek) --ct >(cat > c) --ss >(cat > s); sleep 0.2\n"
                 "for i in 1 2 3 4 5 6 7 8 9; do test -s c -a -s s || sleep 0.3; done\n"
                 "L decaps $S --dk <(cat dk) --ct <(cat c) --ss - | cmp - s\n");
    expect_right("mkfifo one two; { cat one > c; cat two > s; } &\n"
                 "L encaps $S --ek ek --ct one --ss two; wait; L decaps $S --dk dk --ct c --ss - | cmp - s\n"
                 "test -p one -a -p two\n");
    expect_right("set +e; L seal $S --ek ek --in plain --out - 2> err | head -c 9 > /dev/null\n"
                 "test ${PIPESTATUS[0]} -eq 1 && grep -q 'standard output: Broken pipe' err\n");
    expect_right("L encaps $S --ek ek --ct /dev/null --ss /dev/null; test -c /dev/null\n");
}

// A stream that feeds itself would fill the disk.
TEST_F(CliStreams, OneFileForInputAndOutput)
{
    for (const std::string name : {"-", "/dev/stdout", "/dev/fd/1"})
        expect_right("cp plain f; refused 2 'is named for two things' timeout 20 '" + std::string(LATKEM_COMMAND) +
                     "' seal $S --ek ek --in f --out " + name +
                     " >> f; cmp f plain\n"
                     "refused 2 'is named for two things' L seal $S --ek ek --in - --out " +
                     name + " < f >> f; cmp f plain\n");
    expect_right("cp plain f; ln f g; L seal $S --ek ek --in f --out g; cmp f plain; L open $S --dk dk --in g --out - "
                 "| cmp - f\n"
                 "ln -s f h; refused 2 'h: is named for two things' L seal $S --ek ek --in f --out h; cmp f plain\n");
}

TEST_F(CliStreams, LinksAndModes)
{
    expect_right("ln -s nowhere link; E --ct link; test -L link; bytes nowhere 768\n"
                 "mkdir sub; ln -s sub/new far; E --ct far; test -L far; bytes sub/new 768\n"
                 "ln -s loop loop; refused 1 'loop: Too many levels' E --ct loop\n"
                 "umask 077; E --ct c; test $(stat -c %a c) = 600; umask 0; L keygen $S --ek e --dk d\n"
                 "test $(stat -c %a e) = 666; test $(stat -c %a d) = 600\n");
    expect_right("env -i '" + std::string(LATKEM_COMMAND) + "' keygen $S --ek e2 --dk d2 < /dev/null; bytes e2 800\n");
}

// As /proc/1/fd/1 in a container.
TEST_F(CliStreams, AnotherProcesssFile)
{
    expect_right("echo KEEP > log; sleep 30 >> log & p=$!; E --ct /proc/$p/fd/1\n"
                 "ln -s /proc/$p/fd/1 link; E --ct link; kill $p; bytes log 1541; test \"$(head -c 4 log)\" = KEEP\n");
}

// Socket and non-blocking pipe, as service managers and other runtimes have them.
TEST_F(CliStreams, SocketsAndNonBlockingPipes)
{
    const std::string begin = "python3 - <<'END'\nimport os, socket, subprocess, time\nline = ['" +
                              std::string(LATKEM_COMMAND) + "', 'seal', '" + set +
                              "', '--ek', 'ek', '--in', 'plain', '--out']\n";
    const std::string end = "open('f', 'wb').write(data)\nEND\nL open $S --dk dk --in f --out - | cmp - plain\n";
    for (const std::string name : {"-", "/dev/stdout"}) {
        expect_right(begin + "ours, theirs = socket.socketpair()\np = subprocess.Popen(line + ['" + name +
                     "'], stdout=theirs)\ntheirs.close()\ndata = b''.join(iter(lambda: ours.recv(65536), b''))\n"
                     "assert p.wait() == 0\n" +
                     end);
        expect_right(begin + "r, w = os.pipe()\nos.set_blocking(w, False)\np = subprocess.Popen(line + ['" + name +
                     "'], stdout=w)\nos.close(w)\ntime.sleep(0.3)\n"
                     "data = b''.join(iter(lambda: os.read(r, 65536), b''))\nassert p.wait() == 0\n" +
                     end);
    }
}

} // namespace
