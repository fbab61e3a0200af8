"""unisono.run() and a pool in a notebook of Jupyter: cells run in a kernel, whose functions no PE can import."""

import os

import pytest
from patience import HANGS, until

pytest.importorskip("ipykernel")
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("cloudpickle")

CELLS = [
    """
import unisono

print(unisono.run(unisono.rank, n=2))
""",
    """
class Point:
    def __init__(self, x):
        self.x = x

def point(x):
    print("here is a PE")
    return Point(2 * x + unisono.rank())

points = unisono.run(point, (20,), n=2)
print([type(p) is Point for p in points], [p.x for p in points])
""",
    """
with unisono.Pool(2) as pool:
    print([p.x for p in pool.map(point, range(3))], pool.run(lambda: unisono.reduce(1)))
unisono.run(lambda: unisono.recv_object(1 - unisono.rank()), n=2)
""",
]


@pytest.fixture
def environment(tmp_path):
    """The variables of a kernel that keeps its history in a folder of its own, and shows what other processes print,
    which it does not under pytest."""
    own = dict.fromkeys(("HOME", "IPYTHONDIR", "JUPYTER_DATA_DIR"), str(tmp_path))
    return {name: value for name, value in {**os.environ, **own}.items() if name != "PYTEST_CURRENT_TEST"}


def printed(cell):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stdout")


def test_a_notebook(environment):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    with pytest.raises(nbclient.exceptions.CellExecutionError) as error:
        nbclient.NotebookClient(notebook, timeout=HANGS, kernel_name="python3").execute(env=environment)
    assert printed(notebook.cells[0]) == "[0, 1]\n"
    told = printed(notebook.cells[1])
    assert told.count("here is a PE\n") == 2 and told.endswith("[True, True] [40, 41]\n"), told
    values, sums = printed(notebook.cells[2]).splitlines()[-1].replace("[", "").split("] ")
    assert [int(x) // 2 for x in values.split(", ")] == [0, 1, 2] and sums == "2, 2]"
    assert error.value.ename == "PEError" and "deadlock: PE 0 waits for PE 1" in error.value.evalue
    assert "unisono.recv_object, called by <lambda> at " in error.value.evalue


def test_an_interrupted_cell(environment):
    """The button "interrupt" ends the job, and the kernel goes on."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3", env=environment)
    told, pes = [], []

    def hear(message):
        told.append(message["content"])
        if not pes and len(words := "".join(content.get("text", "") for content in told).split()) == 2:
            pes.extend(words)
            manager.interrupt_kernel()

    try:
        client.execute_interactive("import os, time, unisono", timeout=HANGS)
        wait = "def wait():\n    print(os.getpid(), flush=True)\n    time.sleep(1000)\n"
        reply = client.execute_interactive(wait + "unisono.run(wait, n=2)", timeout=HANGS, output_hook=hear, stop_on_error=False)
        assert reply["content"]["ename"] == "KeyboardInterrupt", told
        assert until(lambda: not any(os.path.exists(f"/proc/{pe}") for pe in pes))
        told.clear()
        client.execute_interactive("print(unisono.run(unisono.rank, n=2))", timeout=HANGS, output_hook=lambda m: told.append(m["content"]))
        assert "[0, 1]\n" in [content.get("text") for content in told]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
