import Glibc
import JSON

/// How the entries of the log are written, one line each.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One JSON object, with the members `time` (RFC 3339), `level`, and `message` or `route`.
    case json

    /// The line for an entry, without a line feed at its end. In the format ``text``, it may contain
    /// control characters, such as line feeds.
    public func line(for entry: LogEntry) -> String {
        switch self {
        case .text: Self.text(entry)
        case .json: Self.json(entry)
        }
    }

    private static func text(_ entry: LogEntry) -> String {
        switch entry {
        case .message(let message, _, let id):
            return id.map { "\(message) (request \($0))" } ?? message
        case .request(let request):
            let error = request.error.map { " \($0)" } ?? ""
            let milliseconds = Double(request.nanoseconds / 10_000) / 100
            let trace = request.traceID.map { ", trace \($0)" } ?? ""
            return "request \(request.id): \(request.route) \(request.status)\(error), "
                + "\(milliseconds) ms\(trace)"
        }
    }

    private static func json(_ entry: LogEntry) -> String {
        ObjectFragment { writer in
            writer.member("time", now)
            switch entry {
            case .message(let message, let level, let id):
                writer.member("level", level.rawValue)
                writer.member("message", message)
                writer.member("requestId", id)
            case .request(let request):
                let level = request.status >= 500 ? LogEntry.Level.error : .info
                writer.member("level", level.rawValue)
                writer.member("requestId", request.id)
                writer.member("traceId", request.traceID)
                writer.member("route", request.route)
                writer.member("status", request.status)
                writer.member("error", request.error)
                writer.member("microseconds", request.nanoseconds / 1_000)
            }
        }.description
    }

    /// The time in UTC, as in RFC 3339.
    private static var now: String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        gmtime_r(&time.tv_sec, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let seconds = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let milliseconds = "\(1_000 + time.tv_nsec / 1_000_000)".dropFirst()
        return "\(seconds).\(milliseconds)Z"
    }
}

/// Something that the backend logs. It never contains data of a customer, a token, or the value of a
/// parameter.
public enum LogEntry: Sendable {
    /// How important an entry is.
    public enum Level: String, Sendable {
        case info, warning, error
    }

    /// Something that an operator should know.
    ///
    /// - Parameter requestID: The first request that it concerns; nil if it concerns no single one.
    case message(String, Level = .error, requestID: String? = nil)
    /// A request that was answered.
    case request(AnsweredRequest)
}

/// A request and its response, without anything from the request except its id and its trace.
public struct AnsweredRequest: Sendable {
    /// The id from `X-Request-Id`, or a generated one.
    public var id: String
    /// The id of the trace to which the request belongs; nil if the client has sent no valid one.
    public var traceID: String?
    /// The name of the route, as in `GET /openapi.json`; `none` if no route matched.
    public var route: String
    /// The status of the response.
    public var status: Int
    /// The kind of the error; nil if the request succeeded.
    public var error: String?
    /// The time from the end of the request to the beginning of its response.
    public var nanoseconds: Int
}
