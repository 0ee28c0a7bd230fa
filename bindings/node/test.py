#!/usr/bin/env python3
"""Builds the package, installs it without a network into an empty folder, and runs the examples and the tests there.

With each engine, on the Node of build/venv, and where there is Chromium also in it. --deep: on every Node here, long
forms, the sanitizers, limits of time, and a second package that must have the same bytes.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import secrets_test
from package import EMPTY, HERE, NATIVE, NODE, OUT, ROOT, add_others, check_types, install, lacking, pack

sys.path.append(str(ROOT / "harness" / "packages"))
from support import moved, unpacked_vectors

EXAMPLES = ["README.md", "docs/node.md", "bindings/node/README.md"]
ENGINES = ["native", "wasm"]
OLDEST = (20, 19)


def run(*command: str | Path, **environment: str) -> str:
    """Runs a command in the folder of the installed package and returns its output, which is shown if it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=EMPTY,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nnode: '{' '.join(map(str, command))[:300]}' failed")
    return done.stdout


def check_contents(package: Path) -> None:
    """Nothing says where it was built; there are no scripts and no dependencies, and one import of WebAssembly."""
    with tarfile.open(package) as tar:
        for member in tar.getmembers():
            content = tar.extractfile(member)
            if content and str(ROOT).encode() in content.read():
                sys.exit(f"node: {member.name} says where it was built")
    asked = """const manifest = require("latkem/package.json"), fs = require("node:fs");
        const wasm = new WebAssembly.Module(fs.readFileSync("node_modules/latkem/lib/latkem.wasm"));
        const imports = WebAssembly.Module.imports(wasm).map((row) => row.module + "." + row.name);
        console.log(JSON.stringify([imports, manifest.scripts ?? {}, manifest.dependencies ?? {}]));"""
    said = run(NODE / "bin" / "node", "-e", asked).strip()
    if said != '[["wasi_snapshot_preview1.random_get"],{},{}]':
        sys.exit(f"node: imports, scripts and dependencies are {said}")


def version_of(node: Path) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


def nodes(deep: bool) -> dict[tuple[int, ...], Path]:
    """The Node of each version to test."""
    own = NODE / "bin" / "node"
    found = {version_of(own): own}
    other = shutil.which("node")
    if deep and other and version_of(Path(other)) >= OLDEST:
        found[version_of(Path(other))] = Path(other)
    return found


def examples() -> list[tuple[str, str]]:
    """Each program of the pages."""
    found = []
    for page in EXAMPLES:
        texts = re.findall(r"^```js\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
        if not texts:
            sys.exit(f"node: {page} has no example")
        found += [(page, text) for text in texts]
    return found


def use(node: Path, engine: str) -> None:
    """The pages' examples, as a module, and the package with `require`."""
    for page, text in examples():
        said = run(node, "--input-type=module", "-e", text, LATKEM_ENGINE=engine).strip()
        if said != "true":
            sys.exit(f"node: the example of {page} says '{said}'")
    said = run(node, "-e", 'console.log(require("latkem").mlkem768.generate().kem.name)', LATKEM_ENGINE=engine)
    if "ML-KEM-768" not in said:
        sys.exit(f"node: with require the package says '{said}'")


def choose(node: Path) -> None:
    """Without the add-on there is WebAssembly, unless the add-on is asked for; other engines are refused."""
    addons, aside = EMPTY / "node_modules" / "latkem" / "prebuilds", EMPTY / "aside"
    ask = 'import("latkem").then(({ backend }) => console.log(backend), (error) => console.log(error.name))'

    def answer(engine: str) -> str:
        return run(node, "-e", ask, LATKEM_ENGINE=engine).strip()

    with_addon = [answer(engine) == "wasm" for engine in ("", "native", "wasm")] + [answer("other")]
    addons.rename(aside)
    without = [answer(engine) for engine in ("", "native", "wasm")]
    aside.rename(addons)
    if with_addon != [False, False, True, "RangeError"] or without != ["wasm", "Error", "wasm"]:
        sys.exit(f"node: engines are {with_addon} with the add-on, {without} without it")


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)


def without_randomness() -> Path:
    """A library to preload. Its getrandom fails on demand."""
    library = OUT / "failing.so"
    run(os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, HERE / "tests" / "failing.c")
    return library


def run_tests(node: Path, engine: str, deep: bool, without: str = "", preload: str = "") -> None:
    files = sorted(path for path in (EMPTY / "tests").glob("*.test.mjs") if path.name != f"{without}.test.mjs")
    environment = {
        "LATKEM_VECTORS": str(unpacked_vectors(OUT / "vectors")),
        "LATKEM_ENGINE": engine,
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    environment |= {"LD_PRELOAD": f"{preload} {without_randomness()}".strip()}
    if deep:
        environment["LATKEM_TEST_DEEP"] = "1"
    said = run(node, "--test", "--test-reporter=tap", *files, **environment)
    counts = dict(re.findall(r"^# (tests|pass|skipped) (\d+)$", said, re.MULTILINE))
    reasons = set(re.findall(r"# SKIP (.*)", said))
    print(f"node: {counts['pass']} of {counts['tests']} tests passed, {counts['skipped']} skipped {sorted(reasons)}")


def test_browser() -> None:
    """tests/browser.html in Chromium, which sends what it found."""
    chromium = shutil.which("chromium")
    if not chromium:
        print("node: skipped the browser, as there is no chromium")
        return
    said: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            said.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    shutil.copyfile(
        unpacked_vectors(OUT / "vectors") / "acvp/ML-KEM-keyGen-FIPS203/internalProjection.json", EMPTY / "acvp.json"
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=EMPTY)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = f"http://127.0.0.1:{server.server_port}/tests/browser.html"
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={OUT}/chromium"]
        browser = subprocess.Popen([chromium, *options, page], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: bool(said) or browser.poll() is not None, 60)
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    if said[:1] != ["16 sets"]:
        sys.exit(f"node: the page in Chromium says {said}")
    print("node: 16 sets in Chromium")


def test_sanitized(node: Path) -> None:
    """The add-on with the address and undefined-behaviour sanitizers; the core is that of the package's build."""
    addon = EMPTY / "node_modules" / "latkem" / NATIVE[platform.machine()].place / "latkem.node"
    sources = [HERE / "src" / f"{name}.c" for name in ("addon", "keys", "operations")]
    sources += ROOT.glob("protocol/keyfile/*.c")
    folders = [NODE / "include" / "node", *(ROOT / name for name in ("include", "src", "protocol"))]
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g", "-O1"]
    options = ["-std=c11", "-shared", "-fPIC", *checks, "-DLKP_MLKEM_ONLY", *(f"-I{folder}" for folder in folders)]
    library = OUT / NATIVE[platform.machine()].tree / "latkem" / "src" / "liblatkem.a"
    plain = addon.read_bytes()
    run("gcc", *options, *sources, library, "-o", addon)
    try:
        # Its allocator keeps what is freed for a while.
        run_tests(
            node, "native", deep=False, without="memory", preload=run("gcc", "-print-file-name=libasan.so").strip()
        )
    finally:
        addon.write_bytes(plain)


def test_secrets(node: Path, engine: str, deep: bool) -> None:
    for name in secrets_test.SETS if deep else secrets_test.SETS[:1]:
        secrets_test.search(node, EMPTY, name, {"LATKEM_ENGINE": engine})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deep", action="store_true", help="the long forms")
    deep = parser.parse_args().deep
    lacks = lacking() or ("" if platform.machine() in NATIVE else f"add-on for {platform.machine()}")
    if lacks:
        print(f"node: skipped, as there is no {lacks}")
        return
    moved("JavaScript", [HERE / "tests" / "moving.test.mjs"])
    package = pack()
    check_types()
    install(package)
    check_contents(package)
    if deep:
        add_others()
    for version, node in nodes(deep).items():
        choose(node)
        for engine in ENGINES:
            print(f"node: {'.'.join(map(str, version))}, {engine}", flush=True)
            use(node, engine)
            run_tests(node, engine, deep)
            test_secrets(node, engine, deep)
    test_browser()
    if deep:
        test_sanitized(NODE / "bin" / "node")
        if subprocess.run([sys.executable, HERE / "speed.py", "--built"], check=False).returncode:
            sys.exit("node: a limit of time is missed")
        before = package.read_bytes()
        if pack().read_bytes() != before:
            sys.exit("node: a second package has other bytes")


if __name__ == "__main__":
    try:
        main()
    except secrets_test.Leak as leak:
        sys.exit(f"node: {leak}")
