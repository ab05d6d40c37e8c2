"""A Slurm of one node on this machine: munged, slurmctld and slurmd of its own, in a folder of its own.

Nothing of the machine is touched: the key, the socket, the state and the logs are in the folder, the ports are free ones, and only
the processes started here are ended. A cluster that the machine belongs to goes on beside it.
"""
import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

DAEMONS = ["munged", "slurmctld", "slurmd"]
CLIENTS = ["sbatch", "squeue", "scancel", "sinfo", "scontrol"]
# As Debian and Ubuntu name them.
PACKAGES = ["munge", "slurm-client", "slurmctld", "slurmd"]
# An answer is awaited for so long: the daemons need a second or two.
START = 60

# No cgroups, no accounting; a node that is silent for SlurmdTimeout seconds is down, and its tasks are queued again.
CONFIGURATION = """\
ClusterName=frit
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SlurmdTimeout=10
KillWait=5
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MaxArraySize=1001
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=node Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    """No Slurm can be started here; says why, and what to do."""


def find(program):
    """The path of a program; daemons are in sbin, which PATH may not name."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    """The programs that are not there."""
    return [name for name in DAEMONS + CLIENTS if not find(name)]


def require():
    """Raises if something is missing."""
    if missing():
        raise Unavailable(f"{', '.join(missing())} not found; apt-get install {' '.join(PACKAGES)}, as root")
    if os.geteuid() != 0:
        raise Unavailable("a Slurm can be started by root only")


def install():
    """Installs what is missing from the system's packages; raises where that cannot be."""
    if missing() and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=60"]
        # Without an update the lists of before may do.
        for words in (["update"], ["install", "--yes", "--no-install-recommends", *PACKAGES]):
            done = subprocess.run([*apt, *words], env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable(f"apt-get cannot install {' '.join(PACKAGES)}: {' '.join(done.stderr.split())[-300:]}")
    require()


def die_with_parent():
    """Between fork and exec: a daemon gets SIGKILL when the script is killed (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def free_ports(count):
    """Ports that nothing listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class Slurm:
    """The daemons; `with Slurm() as slurm` starts and ends them."""

    def __init__(self, cpus=2, keep=False):
        require()
        self.cpus = cpus
        self.keep = keep
        self.processes = {}
        self.folder = None

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="frit-slurm-"))
        self.folder.chmod(0o711)
        self.configuration = self.folder / "slurm.conf"
        self.environment = {name: text for name, text in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))}
        self.environment["SLURM_CONF"] = str(self.configuration)
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            # Tasks end with their job, not with the daemon.
            self.ask("scancel", "--user=root", "--full")
            self.until(lambda: not self.ask("squeue", "--noheader"), 20, "the last task to end")
        for name in reversed(DAEMONS):
            self.end(name, signal.SIGTERM)
        if not self.keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(128))
        controller_port, node_port = free_ports(2)
        values = {"folder": self.folder, "host": socket.gethostname().split(".")[0], "cpus": self.cpus}
        text = CONFIGURATION.format(**values, controller_port=controller_port, node_port=node_port)
        self.configuration.write_text(text)
        files = [f"--{name}-file={self.folder}/munge.{name}" for name in ("key", "log", "pid", "seed")]
        self.run("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", *files)
        self.until((self.folder / "munge.socket").exists, START, "munged")
        self.run("slurmctld", "-D", "-f", self.configuration)
        self.start_node()

    def start_node(self):
        """Starts slurmd; waits until the controller has it."""
        self.run("slurmd", "-D", "-f", self.configuration)
        self.until(lambda: self.node() in ("idle", "mixed", "allocated"), START, "the node")

    def node(self):
        """The state of the node, as `idle` or `down*` (the star: it does not answer)."""
        return self.ask("sinfo", "--noheader", "--format=%T")

    def run(self, name, *arguments):
        log = self.folder / f"{name}.out"
        with log.open("ab") as out:
            command = [find(name), *map(str, arguments)]
            # Of its own session: an interrupt at the keyboard ends the command, which then ends the daemons.
            process = subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        self.processes[name] = process

    def end(self, name, how):
        """Sends a daemon a signal and waits until it is gone."""
        process = self.processes.pop(name, None)
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def ask(self, *command):
        """What one of Slurm's programs says."""
        arguments = {"env": self.environment, "capture_output": True, "text": True, "timeout": 60}
        return subprocess.run([find(command[0]), *command[1:]], **arguments).stdout.strip()

    def until(self, condition, seconds, what):
        """Waits for something; raises with the end of the logs if a daemon has gone or the time is over."""
        end = time.monotonic() + seconds
        while not condition():
            gone = [name for name, process in self.processes.items() if process.poll() is not None]
            if gone or time.monotonic() > end:
                why = f"{gone[0]} has ended" if gone else f"waited {seconds} s in vain for {what}"
                raise Unavailable(f"{why}\n{self.last_words()}")
            time.sleep(0.2)

    def last_words(self):
        """The end of each log."""
        logs = sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")])
        return "\n".join(f"{log.name}: {line}" for log in logs for line in log.read_text().splitlines()[-5:])
