"""The file of `unisono run --stats=FILE` has the form that its schema says, and the schema says all of it."""

import copy
import json
import os
from pathlib import Path

import pytest

from calls import compiled, figures, ran, site, wait
from launcher import program, run

KNOWN, SHARE = os.environ["UNISONO_KNOWN"], Path(os.environ["UNISONO_SHARE"])
SCHEMA = json.loads((SHARE / "stats.schema.json").read_text())


@pytest.fixture(scope="module")
def checker():
    """Return what checks a file by the schema."""
    try:
        import jsonschema
    except ImportError:
        pytest.skip("the form of --stats=FILE: there is no jsonschema (Debian: python3-jsonschema; script/setup)")
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    return jsonschema.Draft7Validator(SCHEMA)


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    path = tmp_path_factory.mktemp("papers") / "stats.json"
    assert run("run", "-n", 3, f"--stats={path}", KNOWN, 20, 1, 1000).returncode == 0
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def mpi(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mpi")
    return ran(folder, compiled(folder), 20, 2, 5)


@pytest.mark.parametrize("kind", ["papers", "mpi"])
def test_runs(checker, kind, request):
    made = request.getfixturevalue(kind)
    checker.validate(made)
    assert made["calls"]["member"] == ("PE" if kind == "papers" else "rank")


def test_run_of_one_rank(checker, tmp_path):
    made = ran(tmp_path, compiled(tmp_path), 3, n=1)
    checker.validate(made)


def test_run_of_many(checker, tmp_path):
    """Where many ranks wait for one, those that waited longest are named."""
    made = ran(tmp_path, compiled(tmp_path), 3, 2, 50, n=80)
    checker.validate(made)
    many = [wait for wait in made["calls"]["waits"] if wait["ranks"] > 64]
    assert many and all(len(wait["rank"]) == min(wait["ranks"], 64) for wait in made["calls"]["waits"])
    for wait in many:
        seconds = [rank["seconds"] for rank in wait["rank"]]
        assert seconds == sorted(seconds, reverse=True) and len({rank["rank"] for rank in wait["rank"]}) == 64
        assert sum(seconds) < wait["seconds"]


def test_run_that_failed(checker, tmp_path):
    r = run("run", "-n", 3, f"--stats={tmp_path}/a.json", program("groups"), "wait:7", "kill:9", "wait:7")
    assert r.returncode == 137
    checker.validate(json.loads((tmp_path / "a.json").read_text()))


def test_figures_of_the_tests(checker):
    """The figures that the tests of the pages make up have the form of a run."""
    checker.validate(figures(5, [site("MPI_Recv", "/a.c:1", 5, waited=1.0)], [wait(0, 1, 0.5, 0), wait(0, 2, 0.5)]))


def members(schema, where=()):
    """The members that a schema describes, by the way to them."""
    for part in (schema, *schema.get("anyOf", [])):
        yield from members(part["items"], (*where, 0)) if "items" in part else ()
        for name, member in part.get("properties", {}).items():
            yield (*where, name)
            yield from members(member, (*where, name))


def at(value, where):
    for step in where:
        value = value[step]
    return value


MEMBERS = [where for where in members(SCHEMA) if where[0] != "unit" or len(where) == 1]


def test_every_member_is_described():
    def described(schema):
        parts = [p for p in (schema, *schema.get("anyOf", [])) if isinstance(p, dict)]
        return any("description" in part for part in parts)

    def walk(schema):
        for part in (schema, *schema.get("anyOf", [])):
            assert not part.get("properties") or (part["additionalProperties"] is False and sorted(part["required"]) == sorted(part["properties"]))
            for member in part.get("properties", {}).values():
                assert described(member), member
                walk(member)
            if "items" in part:
                walk(part["items"])
    walk(SCHEMA)
    assert len(MEMBERS) > 80


@pytest.mark.parametrize("where", MEMBERS, ids=lambda where: ".".join(map(str, where)))
def test_members_are_needed(checker, papers, mpi, where):
    """Without any of its members, or with it as something else, a file is refused; and every member does occur."""
    whole = copy.deepcopy(papers if where[0] in ("operations", "straggler") else mpi)
    *to, name = where
    held = at(whole, to)
    value = held.pop(name)
    assert not checker.is_valid(whole)
    held[name] = ["another thing"]
    assert not checker.is_valid(whole)
    held[name] = value
    assert checker.is_valid(whole)
    held["another"] = 1
    assert not checker.is_valid(whole)
