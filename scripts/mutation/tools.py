"""The programs that are run."""
import pathlib
import shutil
import signal
import subprocess
import sys

# Seconds of a processor that a testbench may take. Seconds in which it is paused do not count.
PATIENCE = 300
# Signals by which somebody ends a run, which says nothing of what it tests.
ENDED = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
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


def verdict_of(command, folder, name, patience=PATIENCE):
    """What a testbench says: passed or failed; or that it hangs, which is not passed either."""
    limited = ["sh", "-c", f'ulimit -S -t {patience}; exec "$@"', "sh", *command]
    done = subprocess.run(limited, cwd=folder, capture_output=True, text=True, errors="replace")
    if -done.returncode in ENDED:
        raise RuntimeError(f"{folder}: {' '.join(command)}: ended by {signal.Signals(-done.returncode).name}")
    if -done.returncode == signal.SIGXCPU:
        return "hangs"
    lines = done.stdout.splitlines()
    passed = any(line.startswith(f"PASS {name}:") for line in lines) and not any(line.startswith("FAIL") for line in lines)
    return "passed" if done.returncode == 0 and passed else "failed"


def yosys(folder, name, script):
    """Runs a script, which is kept."""
    (folder / f"{name}.ys").write_text(script)
    run([tool("yosys"), "-q", f"{name}.ys"], folder, f"yosys {name}.ys")
