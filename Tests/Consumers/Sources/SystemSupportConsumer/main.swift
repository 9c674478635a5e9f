import Glibc
import SystemSupport

var spawner = ProcessSpawner(["echo", "hello"])
spawner.output = .descriptor(STDOUT_FILENO)
let process = try spawner.spawn()
var status: Int32 = 0
waitpid(process, &status, 0)
precondition(status == 0)
