import BackendKit
import Glibc

/// What the command line says.
struct Options {
    var address: UInt32 = 0x7F00_0001
    var host = "127.0.0.1"
    var port: UInt16 = 8_080
    var database: String?
    var endsWithInput = false
    var wantsHelp = false

    static let help = """
        Usage: novablend-backend [--host ADDRESS] [--port PORT] [--database FILE]

        Serves sample salons and other lists over HTTP, and keeps the bookings made there.

          --host ADDRESS    the IPv4 address to listen on (127.0.0.1)
          --port PORT       the port, 0 for any that is free (8080); the first line of
                            output names the one in use
          --database FILE   where bookings are kept, :memory: for nowhere
                            ($XDG_DATA_HOME/novablend/backend.sqlite)
          --exit-with-input end when standard input ends
          --help            this text

        GET /salons   GET /salons/{id}/availability?from=&to=   GET /health
        GET /appointments   POST /appointments (with Idempotency-Key)
        GET, PATCH and DELETE /appointments/{id} (with If-Match and Idempotency-Key)
        DELETE /idempotency-keys/{key}
        \(ServedList.all.map { "GET /" + $0.name }.joined(separator: "   ")) (with ?limit=&after=)
        """

    struct Wrong: Error { let text: String }

    init(_ arguments: [String]) throws(Wrong) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--exit-with-input": endsWithInput = true
            case "--host":
                host = try Self.value(of: argument, &rest)
                var parsed = in_addr()
                guard inet_pton(AF_INET, host, &parsed) == 1 else {
                    throw Wrong(text: "--host takes an IPv4 address")
                }
                address = UInt32(bigEndian: parsed.s_addr)
            case "--port":
                guard let number = UInt16(try Self.value(of: argument, &rest)) else {
                    throw Wrong(text: "--port takes a number from 0 to 65535")
                }
                port = number
            case "--database": database = try Self.value(of: argument, &rest)
            default: throw Wrong(text: "there is no option \(argument)")
            }
        }
    }

    private static func value(
        of option: String,
        _ rest: inout ArraySlice<String>
    ) throws(Wrong) -> String {
        guard let value = rest.popFirst() else { throw Wrong(text: "\(option) takes a value") }
        return value
    }
}
