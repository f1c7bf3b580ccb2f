#!/usr/bin/env python3
"""Makes the packages of a release around binaries that are built already.

    pack.py notices OUT [TARGET ...]     THIRD-PARTY.md: the licences of everything in the binary
    pack.py binary TARGET FILE OUT       archive, wheel and npm package of one binary
    pack.py finish OUT                   npm launcher, Homebrew formula, SHA256SUMS

Name, version, licence and repository come from Cargo.toml. The same input gives the same bytes.
Needs Python 3.11 and nothing else; `notices` also needs cargo.
"""

import base64
import gzip
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CRATE = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]
NAME, VERSION = CRATE["name"], CRATE["version"]
# The name `memkeep` belongs to another project on PyPI. The command keeps its name.
WHEEL = "memkeep-cli"

# A target: tag of the wheel; operating system and processors of the npm package; whether a release
# has it. A static binary runs under both C libraries.
TARGETS = {
    "x86_64-unknown-linux-musl": (
        "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux", ["x64"], True),
    "aarch64-unknown-linux-musl": (
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux", ["arm64"], True),
    "universal-apple-darwin": ("macosx_11_0_universal2", "darwin", ["x64", "arm64"], True),
    # To try the packages on the machine that built the binary; no registry takes these wheels.
    "x86_64-unknown-linux-gnu": ("linux_x86_64", "linux", ["x64"], False),
    "aarch64-unknown-linux-gnu": ("linux_aarch64", "linux", ["arm64"], False),
}
# The targets that cargo builds for; the universal binary is made of the last two.
BUILT = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl",
         "x86_64-apple-darwin", "aarch64-apple-darwin"]


def tar(path, files):
    """Writes a .tar.gz of (name, bytes, mode)."""
    with open(path, "wb") as out, gzip.GzipFile("", "wb", 9, out, 0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, data, mode in files:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(data), mode
                archive.addfile(entry, io.BytesIO(data))


def wheel(path, tag, files):
    """Writes a wheel of (name, bytes, mode) and the list of them that wheels need."""
    info = f"{WHEEL.replace('-', '_')}-{VERSION}.dist-info"
    tags = "".join(f"Tag: py3-none-{one}\n" for one in tag.split("."))
    about = (f"Metadata-Version: 2.1\nName: {WHEEL}\nVersion: {VERSION}\n"
             f"Summary: {CRATE['description']}\nLicense: {CRATE['license']}\n"
             f"Project-URL: Repository, {CRATE['repository']}\n")
    files = files + [
        (f"{info}/METADATA", about.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644),
    ]
    record = ""
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        record += f"{name},sha256={digest},{len(data)}\n"
    record += f"{info}/RECORD,,\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in files + [(f"{info}/RECORD", record.encode(), 0o644)]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            archive.writestr(entry, data)


def npm_name(system, processors):
    """Name of the npm package that carries a binary, as npm/memkeep.js looks for it."""
    return f"{NAME}-{system}" + ("" if len(processors) > 1 else f"-{processors[0]}")


def npm(out, package, files):
    """Writes an npm package: what all have in common, and `package`."""
    about = {
        "name": NAME, "version": VERSION, "description": CRATE["description"],
        "license": CRATE["license"], "repository": {"type": "git", "url": f"git+{CRATE['repository']}.git"},
    } | package
    text = json.dumps(about, indent=2).encode() + b"\n"
    files = [("package.json", text, 0o644)] + files
    tar(out / f"{about['name']}-{VERSION}.tgz", [(f"package/{name}", data, mode) for name, data, mode in files])


def binary(target, file, out):
    """Packs one binary."""
    tag, system, processors, _ = TARGETS[target]
    program = pathlib.Path(file).read_bytes()
    papers = [("LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644)]
    if (out / "THIRD-PARTY.md").exists():
        papers.append(("THIRD-PARTY.md", (out / "THIRD-PARTY.md").read_bytes(), 0o644))
    folder = f"{NAME}-{VERSION}-{target}"
    readme = ("README.md", (ROOT / "README.md").read_bytes(), 0o644)
    inside = [(NAME, program, 0o755), readme] + papers
    tar(out / f"{folder}.tar.gz", [(f"{folder}/{name}", data, mode) for name, data, mode in inside])
    stem = f"{WHEEL.replace('-', '_')}-{VERSION}"
    inside = [(f"{stem}.data/scripts/{NAME}", program, 0o755)]
    inside += [(f"{stem}.dist-info/licenses/{name}", data, mode) for name, data, mode in papers]
    wheel(out / f"{stem}-py3-none-{tag}.whl", tag, inside)
    package = {"name": npm_name(system, processors), "os": [system], "cpu": processors}
    npm(out, package, [(f"bin/{NAME}", program, 0o755)] + papers)


def finish(out):
    """Writes what needs all binaries to be packed."""
    released = {npm_name(system, cpu): VERSION for _, system, cpu, released in TARGETS.values() if released}
    package = {"bin": {NAME: f"{NAME}.js"}, "engines": {"node": ">=18"}, "optionalDependencies": released}
    papers = [(name, (ROOT / name).read_bytes(), 0o644) for name in ["README.md", "LICENSE"]]
    npm(out, package, [(f"{NAME}.js", (HERE / "npm" / f"{NAME}.js").read_bytes(), 0o755)] + papers)

    def value(match):
        word = match[1]
        if word.startswith("sha256 "):
            archive = out / f"{NAME}-{VERSION}-{word.removeprefix('sha256 ')}.tar.gz"
            return hashlib.sha256(archive.read_bytes()).hexdigest()
        return CRATE[word]

    archives = [out / f"{NAME}-{VERSION}-{target}.tar.gz" for target, one in TARGETS.items() if one[3]]
    missing = [archive.name for archive in archives if not archive.exists()]
    if missing:
        print(f"no formula without {', '.join(missing)}", file=sys.stderr)
    else:
        formula = (HERE / f"{NAME}.rb.in").read_text()
        (out / f"{NAME}.rb").write_text(re.sub(r"@(.+?)@", value, formula))
    names = sorted(path.name for path in out.iterdir() if path.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (out / "SHA256SUMS").write_text("".join(sums))


def notices(out, targets):
    """Collects the licences of all crates that are linked into the binary, and of the C code in them."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    for target in targets or BUILT:
        command += ["--filter-platform", target]
    data = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    crates = {crate["id"]: crate for crate in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    seen, todo = set(), [data["resolve"]["root"]]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += [dep["pkg"] for dep in nodes[one]["deps"]
                     if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    seen.discard(data["resolve"]["root"])
    texts, table = {}, []
    for crate in sorted((crates[one] for one in seen), key=lambda crate: (crate["name"], crate["version"])):
        folder = pathlib.Path(crate["manifest_path"]).parent
        title = f"{crate['name']} {crate['version']}"
        files = [path for path in folder.rglob("*") if path.is_file()
                 and re.match(r"(?i)(un)?licen[cs]e|copying|copyright|notice", path.name)
                 and path.suffix.lower() in ("", ".md", ".txt", *(f".{i}" for i in range(10)))
                 or path.name.upper().startswith(("LICENSE-", "LICENCE-")) and path.is_file()]
        for path in sorted(files):
            text = path.read_text(errors="replace").strip()
            key = " ".join(text.split())
            texts.setdefault(key, (text, []))[1].append(title)
        table.append(f"| {title} | {crate['license']} | {'yes' if files else 'no file in the crate'} |\n")
    with open(out / "THIRD-PARTY.md", "w") as page:
        page.write(f"# Licences of what {NAME} {VERSION} is built of\n\n| crate | licence | text below |\n|---|---|---|\n")
        page.writelines(table)
        for text, owners in texts.values():
            fence = "`" * (max(map(len, re.findall("`+", text)), default=2) + 1)
            page.write(f"\n## {', '.join(sorted(set(owners)))}\n\n{fence}text\n{text}\n{fence}\n")


def main():
    words = sys.argv[1:]
    if len(words) == 4 and words[0] == "binary" and words[1] in TARGETS:
        out, run = words[3], lambda out: binary(words[1], words[2], out)
    elif len(words) == 2 and words[0] == "finish":
        out, run = words[1], finish
    elif len(words) >= 2 and words[0] == "notices":
        out, run = words[1], lambda out: notices(out, words[2:])
    else:
        sys.exit(f"{__doc__}\nTargets: {', '.join(TARGETS)}")
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    run(out)


main()
