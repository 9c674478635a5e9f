import BackendKit
import Glibc
import SystemSupport

/// Runs the program and returns the exit code. `main` calls it with its own arguments, because
/// `CommandLine.arguments` is empty if a preloaded library has changed the environment in a
/// constructor.
@_cdecl("novablend_backend_run")
public func run(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
    let arguments = (1..<max(Int(count), 1)).compactMap { values[$0].map { String(cString: $0) } }
    do throws(UsageError) {
        let options = try Options(arguments)
        if !options.wantsHelp { return serve(options) }
        print(Options.help)
        return 0
    } catch {
        log("\(error.message); see --help")
        return 64
    }
}

/// Serves until a termination signal arrives; returns the exit code.
private func serve(_ options: Options) -> Int32 {
    // This thread waits for the signals. Threads that start later inherit the mask.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    guard let database = options.database ?? defaultDatabase() else {
        log("neither HOME nor XDG_DATA_HOME is set; choose a file with --database")
        return 1
    }
    do throws(Backend.StartFailure) {
        let backend = try Backend(
            database: database,
            address: options.address,
            port: options.port,
            log: log
        )
        let line = Array("listening on http://\(options.host):\(backend.port)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
        if options.exitsWithInput, !terminateAtEndOfInput() {
            log("cannot start a thread that reads standard input")
            return 1
        }
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        backend.stop()
        return 0
    } catch {
        log(error.description)
        return 1
    }
}

/// The path of the default database. Creates its directory with access for this user only.
private func defaultDatabase() -> String? {
    func absolutePath(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard
        let base = absolutePath("XDG_DATA_HOME")
            ?? absolutePath("HOME").map({ $0 + "/.local/share" })
    else { return nil }
    var path = ""
    for part in (base + "/novablend").split(separator: "/") {
        path += "/" + part
        mkdir(path, 0o700)
    }
    return path + "/backend.sqlite"
}

/// Sends this process SIGTERM when standard input ends, because then the parent process has exited.
/// Returns false if no thread can be started.
private func terminateAtEndOfInput() -> Bool {
    SystemThread.start {
        var byte: UInt8 = 0
        var count = 1
        while count > 0 || (count < 0 && errno == EINTR) { count = read(STDIN_FILENO, &byte, 1) }
        kill(getpid(), SIGTERM)
    }
}

/// Writes a line to standard error.
@Sendable private func log(_ line: String) {
    let bytes = Array("novablend-backend: \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
