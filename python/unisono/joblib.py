"""joblib on the pools of this package:

    import joblib, unisono.joblib

    with joblib.parallel_backend("unisono", n_jobs=4):
        joblib.Parallel()(joblib.delayed(function)(x) for x in values)

The import registers the backend. The workers stay from call to call.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from joblib.parallel import AutoBatchingMixin, ParallelBackendBase, register_parallel_backend  # type: ignore[import]

from ._pool import Pool

_pools: dict[int, Pool] = {}  # by the number of their workers


class Backend(AutoBatchingMixin, ParallelBackendBase):  # type: ignore[misc]
    """A backend as joblib asks for it."""

    supports_timeout = True
    supports_retrieve_callback = True
    supports_inner_max_num_threads = True

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        if n_jobs == 0:
            raise ValueError("n_jobs == 0 in Parallel has no meaning")
        if n_jobs is None:
            return 1
        return n_jobs if n_jobs > 0 else max(len(os.sched_getaffinity(0)) + 1 + n_jobs, 1)

    def configure(self, n_jobs: int = 1, parallel: Any = None, **_: Any) -> int:
        n = self.effective_n_jobs(n_jobs)
        self.parallel = parallel
        if n not in _pools or _pools[n].broken():
            _pools[n] = Pool(n, env=self._prepare_worker_env(n_jobs=n))
        self._pool = _pools[n]
        return n

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], Any] | None = None) -> Future[Any]:
        future = self._pool.submit(func)
        future.get = future.result  # type: ignore[attr-defined]  # so joblib before 1.3 calls it
        if callback:
            future.add_done_callback(callback)
        return future

    apply_async = submit  # likewise

    def retrieve_result_callback(self, out: Future[Any]) -> Any:
        return out.result()

    def terminate(self) -> None:
        self.reset_batch_stats()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Calls that have begun end by themselves; joblib takes no more of its results."""
        self.reset_batch_stats()


register_parallel_backend("unisono", Backend)
