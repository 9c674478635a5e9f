import BackendKit
import Glibc

func log(_ line: String) {
    let bytes = Array("novablend-backend: \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// The default database, its directory made for this user alone.
func defaultDatabase() -> String? {
    func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let base = variable("XDG_DATA_HOME") ?? variable("HOME").map({ $0 + "/.local/share" })
    else { return nil }
    var path = ""
    for part in (base + "/novablend").split(separator: "/") {
        path += "/" + part
        mkdir(path, 0o700)
    }
    return path + "/backend.sqlite"
}

func serve(_ options: Options) -> Int32 {
    // The signals that end it are waited for here; threads that start later inherit the mask.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    guard let database = options.database ?? defaultDatabase() else {
        log("neither HOME nor XDG_DATA_HOME is set; name a file with --database")
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
        if options.endsWithInput { endWithInput() }
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        backend.stop()
        return 0
    } catch {
        log(error.description)
        return 1
    }
}

/// Ends the process as a signal would once standard input ends: whoever started it is gone then.
func endWithInput() {
    var thread: pthread_t = 0
    pthread_create(
        &thread,
        nil,
        { _ in
            var byte: UInt8 = 0
            while case let count = read(STDIN_FILENO, &byte, 1), count > 0 || errno == EINTR {
                if count == 0 { break }
            }
            kill(getpid(), SIGTERM)
            return nil
        },
        nil
    )
}

/// What `main` calls; returns the exit code. The arguments come from there: `CommandLine.arguments` finds
/// none if a preloaded library has changed the environment in a constructor.
@_cdecl("novablend_backend_run")
public func run(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
    let arguments = (1..<max(Int(count), 1)).compactMap { values[$0].map { String(cString: $0) } }
    do throws(Options.Wrong) {
        let options = try Options(arguments)
        if !options.wantsHelp { return serve(options) }
        print(Options.help)
        return 0
    } catch {
        log("\(error.text); see --help")
        return 64
    }
}
