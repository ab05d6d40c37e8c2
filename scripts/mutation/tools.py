"""The programs that are run."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def tool(*names):
    """A program of this checkout, or of the system, under the first of its names that is there."""
    for name in names:
        local = ROOT / ".tools" / "bin" / name
        if found := str(local) if local.exists() else shutil.which(name):
            return found
    print(f"scripts/mutants: no {names[0]}; run make setup", file=sys.stderr)
    sys.exit(3)


def run(command, folder, what):
    """Runs a program that must not fail."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{folder}: {what}: {(done.stderr + done.stdout)[-2000:]}")
    return done.stdout


def yosys(folder, name, script):
    """Runs a script, which is kept."""
    (folder / f"{name}.ys").write_text(script)
    run([tool("yosys"), "-q", f"{name}.ys"], folder, f"yosys {name}.ys")
