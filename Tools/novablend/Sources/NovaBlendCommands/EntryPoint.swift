import CommandLineKit
import Glibc
import SystemSupport

/// Runs the program. `main` calls it with its own arguments, because `CommandLine.arguments` looks
/// for them next to the environment and finds none if a preloaded library has changed the
/// environment in a constructor.
@_cdecl("novablend_run")
public func run(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>) {
    let arguments = (1..<max(Int(count), 1)).compactMap {
        values[$0].map { String(systemBytes: $0) }
    }
    do { try Program.requireThreads() } catch {
        _exit(NovaBlendProgram.report(error, arguments, on: Terminal()).rawValue)
    }
    Task.detached {
        let code = await NovaBlendProgram.run(arguments).rawValue
        fflush(nil)
        // Do not call `exit`: its handlers unload libraries that other threads, such as libcurl's,
        // still use.
        _exit(code)
    }
    while true { pause() }
}
