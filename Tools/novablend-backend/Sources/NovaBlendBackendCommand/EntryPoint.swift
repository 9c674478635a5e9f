import CommandLineKit
import Glibc
import SystemSupport

/// Runs the program. `main` calls it with its own arguments, because `CommandLine.arguments` is empty
/// if a preloaded library has changed the environment in a constructor.
@_cdecl("novablend_backend_run")
public func run(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>) {
    let arguments = (1..<max(Int(count), 1)).compactMap {
        values[$0].map { String(systemBytes: $0) }
    }
    do { try Program.requireThreads() } catch {
        Terminal().show(error, program: BackendProgram.program.name)
        _exit(error.exitCode.rawValue)
    }
    // Not `exit`: its handlers release what other threads still use.
    Task.detached { _exit(await BackendProgram.program.run(arguments).rawValue) }
    while true { pause() }
}
