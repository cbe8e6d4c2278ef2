"""The process that makes mutations, one at a time."""
import json
import subprocess
import threading

from .build import ROOT

# An answer takes seconds; a mutant may wait for ever.
LIMIT = 600


class Runner:
    def __init__(self, program):
        self.program, self.process = program, None

    @staticmethod
    def catalogue(program):
        runner = Runner(program)
        answer = runner.ask({"work": "catalogue"})
        runner.close()
        if "error" in answer:
            raise SystemExit(f"mutate: the program gives no catalogue: {answer['error']}")
        return answer["catalogue"]

    def ask(self, order):
        """The answer to an order; after a crash the next order starts another process."""
        if not self.process:
            self.process = subprocess.Popen(
                [self.program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        watch = threading.Timer(LIMIT, self.process.kill)
        watch.start()
        try:
            self.process.stdin.write(json.dumps(order) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        watch.cancel()
        if line:
            return json.loads(line)
        status, self.process = self.process.wait(), None
        return {"error": f"the program ended with status {status}, or gave no answer within {LIMIT} s"}

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
