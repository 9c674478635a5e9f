import Glibc
import JSONRPC
import NovaBlendKit

/// What the command line says.
struct Options {
    struct Wrong: Error { let text: String }

    enum Command { case serve, help, version }

    var command = Command.help
    var baseURL: String?
    var salonsURL: String?
    var appointmentsURL: String?
    var availabilityURL: String?
    var listURLs: [String: String] = [:]
    var isSandbox = false
    var isReadOnly = false
    var cacheDirectory: String?
    var stateDirectory: String?
    var certificateFile: String?
    var framing = FramingMode.auto
    var traceFile: String?
    var limits = RPCLimits()

    static let help = """
        Usage: novablend serve [--base-url URL | --sandbox] [options]

        Serves salons, appointments and other lists as JSON-RPC 2.0 over standard input and output,
        one message a line or with Content-Length headers. Without a connection lists come from the
        cache.

          --base-url URL          the remote; its paths are /salons, /appointments,
                                  /salons/{id}/availability, \(paths)
          --sandbox               a remote of its own on loopback, with sample salons, that
                                  is gone afterwards
          --salons-url URL        one address alone, also beside --base-url;
          --appointments-url URL  likewise
          --availability-url URL  likewise, with {id} in the salon's place
          \(listOptions.joined(separator: " URL, ")) URL
                                  likewise
          --cache-dir DIR         for offline use ($XDG_CACHE_HOME/novablend)
          --state-dir DIR         for bookings under way ($XDG_STATE_HOME/novablend)
          --ca-file FILE          certificates to trust, in PEM
          --framing auto|headers|lines
          --trace FILE            mirror both directions, without phones and emails
          --max-message BYTES     the longest message that is read (16777216)
          --read-only             refuse what changes something
          --help, --version

        Try it:
          echo '{"jsonrpc":"2.0","id":1,"method":"salons/list"}' | novablend serve --sandbox

        Exit codes: 0 done, 1 failed or input cut off, 64 wrong usage.
        """

    private static let lists = ListedResource.all.map(\.name)
    private static let listOptions = lists.map { "--\($0)-url" }
    private static var paths: String { lists.map { "/" + $0 }.joined(separator: ", ") }

    init(_ arguments: [String]) throws(Wrong) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "serve": command = .serve
            case "--help", "-h", "help":
                command = .help
                return
            case "--version":
                command = .version
                return
            case "--sandbox": isSandbox = true
            case "--read-only": isReadOnly = true
            default: try set(argument, to: try Self.value(of: argument, &rest))
            }
        }
        if isSandbox, baseURL != nil {
            throw Wrong(text: "--sandbox and --base-url exclude each other")
        }
    }

    private mutating func set(_ option: String, to value: String) throws(Wrong) {
        switch option {
        case "--base-url": baseURL = value
        case "--salons-url": salonsURL = value
        case "--appointments-url": appointmentsURL = value
        case "--availability-url": availabilityURL = value
        case "--cache-dir": cacheDirectory = try Self.absolute(value, option)
        case "--state-dir": stateDirectory = try Self.absolute(value, option)
        case "--ca-file": certificateFile = value
        case "--trace": traceFile = value
        case "--max-message":
            guard let bytes = Int(value), (1...(1 << 30)).contains(bytes) else {
                throw Wrong(text: "--max-message takes 1 to 1073741824 bytes")
            }
            limits.maximumMessageBytes = bytes
        case "--framing":
            guard let mode = FramingMode(rawValue: value) else {
                throw Wrong(text: "--framing takes auto, headers or lines")
            }
            framing = mode
        default: listURLs[String(option.dropFirst(2).dropLast(4))] = value
        }
    }

    private static let withValue = Set(listOptions).union([
        "--base-url", "--salons-url", "--appointments-url", "--availability-url", "--cache-dir",
        "--state-dir", "--ca-file", "--framing", "--trace", "--max-message",
    ])

    private static func value(
        of option: String,
        _ rest: inout ArraySlice<String>
    ) throws(Wrong) -> String {
        guard withValue.contains(option) else { throw Wrong(text: "there is no \(option)") }
        guard let value = rest.popFirst() else { throw Wrong(text: "\(option) takes a value") }
        return value
    }

    private static func absolute(_ path: String, _ option: String) throws(Wrong) -> String {
        guard path.hasPrefix("/") else { throw Wrong(text: "\(option) takes an absolute path") }
        return path
    }
}

extension Options {
    /// The configuration that was asked for; directories in `sandbox` unless others were named.
    func configuration(sandbox: Sandbox?) throws(Wrong) -> Configuration {
        var endpoints =
            (sandbox?.baseURL ?? baseURL).map(Configuration.Endpoints.init(base:))
            ?? Configuration.Endpoints()
        if let salonsURL { endpoints.salons = salonsURL }
        if let appointmentsURL { endpoints.appointments = appointmentsURL }
        if let availabilityURL { endpoints.availability = availabilityURL }
        endpoints.lists = listURLs
        let cache =
            cacheDirectory ?? sandbox.map { $0.directory + "/cache" }
            ?? Self.directory("XDG_CACHE_HOME", ".cache")
        let state =
            stateDirectory ?? sandbox.map { $0.directory + "/state" }
            ?? Self.directory("XDG_STATE_HOME", ".local/state")
        guard let cache, let state else {
            throw Wrong(text: "HOME is not set; name --cache-dir and --state-dir")
        }
        return Configuration(
            endpoints: endpoints,
            cacheDirectory: cache,
            stateDirectory: state,
            isReadOnly: isReadOnly,
            certificateFile: certificateFile
        )
    }

    /// XDG's directory for `variable`. A relative path in the environment counts as none, as the
    /// specification has it.
    private static func directory(_ variable: String, _ fallback: String) -> String? {
        func absolute(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = absolute(variable) ?? absolute("HOME").map { "\($0)/\(fallback)" }
        return base.map { $0 + "/novablend" }
    }
}
