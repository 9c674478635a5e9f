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

/// A request and its response, without anything from the request except its id.
public struct AnsweredRequest: Sendable {
    /// The id from `X-Request-Id`, or a generated one.
    public var id: String
    /// The name of the route, as in `GET /openapi.json`; `none` if no route matched.
    public var route: String
    /// The status of the response.
    public var status: Int
    /// The kind of the error; nil if the request succeeded.
    public var error: String?
    /// The time from the end of the request to the beginning of its response.
    public var nanoseconds: Int
}
