import BackendKit
import Glibc

/// The command line is invalid.
struct UsageError: Error {
    let message: String
}

/// The options on the command line.
struct Options {
    /// The IPv4 address to listen on, in host byte order and as text.
    private(set) var address: UInt32 = 0x7F00_0001
    private(set) var host = "127.0.0.1"
    /// 0 for any free port.
    private(set) var port: UInt16 = 8_080
    /// The path of the database; nil for the default.
    private(set) var database: String?
    private(set) var exitsWithInput = false
    private(set) var wantsHelp = false

    static let help = """
        Usage: novablend-backend [--host ADDRESS] [--port PORT] [--database FILE]

        Serves sample salons and other lists over HTTP, and stores bookings.

          --host ADDRESS    the IPv4 address to listen on (default: 127.0.0.1)
          --port PORT       the port to listen on, or 0 for any free port (default:
                            8080); the first line of output names it
          --database FILE   the file for bookings, or :memory: for none (default:
                            $XDG_DATA_HOME/novablend/backend.sqlite)
          --exit-with-input exit when standard input ends
          --help            show this help

        GET /salons   GET /salons/{id}/availability?start=&end=   GET /health
        GET /appointments   POST /appointments (with Idempotency-Key)
        GET, PATCH and DELETE /appointments/{id} (with If-Match and Idempotency-Key)
        DELETE /idempotency-keys/{key}
        \(ServedList.all.map { "GET /" + $0.name }.joined(separator: "   ")) (with ?limit=&after=)
        """

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--exit-with-input": exitsWithInput = true
            case "--host":
                host = try Self.value(of: argument, &rest)
                var parsed = in_addr()
                guard inet_pton(AF_INET, host, &parsed) == 1 else {
                    throw UsageError(message: "--host must be an IPv4 address")
                }
                address = UInt32(bigEndian: parsed.s_addr)
            case "--port":
                guard let number = UInt16(try Self.value(of: argument, &rest)) else {
                    throw UsageError(message: "--port must be a number from 0 to 65535")
                }
                port = number
            case "--database": database = try Self.value(of: argument, &rest)
            default: throw UsageError(message: "unknown option \(argument)")
            }
        }
    }

    private static func value(
        of option: String,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(message: "\(option) requires a value")
        }
        return value
    }
}
