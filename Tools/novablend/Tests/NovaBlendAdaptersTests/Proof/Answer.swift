import Networking

/// An answer that a server, or anything between it and the client, may send to any request.
struct Answer: Sendable, Hashable {
    /// The content of an answer. None of them confirms or shows what a request asks for.
    enum Content: String, CaseIterable {
        case nothing = "no body"
        case webPage = "HTML"
        case plainObject = "JSON without an error"
        case problem = "our problem"
        case serverError = "a plain server's error"
        case otherBooking = "another booking"
    }

    let status: Int
    let content: Content

    /// Every status of a final response, with every content.
    static let all = (200...599).flatMap { status in
        Content.allCases.map { Answer(status: status, content: $0) }
    }

    /// A number that is different for neighbors in status or content, for what takes turns.
    var turn: Int { status + (Content.allCases.firstIndex(of: content) ?? 0) }

    /// The error that our contract has for a status.
    private static let problems = [
        400: "malformedRequest", 401: "notAuthenticated", 403: "notAllowed", 404: "salonNotFound",
        405: "methodNotAllowed", 409: "slotUnavailable", 410: "keyVoided", 412: "versionConflict",
        413: "tooLarge", 415: "unsupportedMediaType", 422: "outsideOpeningHours",
        428: "preconditionRequired", 429: "tooManyRequests", 500: "internal", 503: "overloaded",
        507: "storageFull",
    ]

    /// Whether this is an error of our contract, at the status that the contract gives it.
    var isContractual: Bool { content == .problem && Self.problems[status] != nil }

    /// Whether this answer says that the request was not carried out, and may be sent again.
    var invitesRepetition: Bool { status == 425 || (isContractual && status == 503) }

    func response(to request: HTTPRequest) -> HTTPResponse {
        var headers = HTTPHeaders()
        let text: String
        switch content {
        case .nothing: text = ""
        case .webPage:
            headers["Content-Type"] = "text/html; charset=utf-8"
            text = "<!DOCTYPE html><html><body><h1>\(status)</h1></body></html>"
        case .plainObject:
            headers["Content-Type"] = "application/json"
            text = #"{"requestId":"5f1c","handled":1}"#
        case .problem:
            headers["Content-Type"] = "application/json"
            if invitesRepetition || status == 429 { headers["Retry-After"] = "1" }
            let name = Self.problems[status] ?? "invalidBooking"
            text = #"{"error":"\#(name)","message":"no"}"#
        case .serverError:
            headers["Content-Type"] = "application/json"
            text = #"{"error":{"code":"E17","message":"The request was refused."}}"#
        case .otherBooking:
            headers["Content-Type"] = "application/json"
            text = ModelServer.otherBooking
        }
        return HTTPResponse(
            status: status,
            headers: headers,
            body: Array(text.utf8),
            url: request.url
        )
    }
}

/// Collects what was wrong in many cases, and shows it as a table. A row contains all cases with the same
/// problem; its statuses are written as ranges.
struct FailureTable {
    private struct Problem: Hashable {
        var name: String
        var text: String
    }

    private var statuses: [Problem: [Answer.Content: Set<Int>]] = [:]
    private var variants: [Problem: Set<String>] = [:]
    private(set) var count = 0

    /// Adds a failure of a case that has this answer. `name` and `variant` say which one it is.
    mutating func add(_ name: String, _ answer: Answer, _ variant: String, _ problem: String) {
        let problem = Problem(name: name, text: problem)
        statuses[problem, default: [:]][answer.content, default: []].insert(answer.status)
        variants[problem, default: []].insert(variant)
        count += 1
    }

    mutating func add(_ other: FailureTable) {
        for (problem, contents) in other.statuses {
            statuses[problem, default: [:]].merge(contents) { $0.union($1) }
        }
        variants.merge(other.variants) { $0.union($1) }
        count += other.count
    }

    /// The rows, sorted, below the number of failures.
    var text: String {
        let rows = statuses.map { problem, contents in
            let contents = Dictionary(grouping: contents.keys) { Self.ranges(contents[$0] ?? []) }
            let answers = contents.map { ranges, contents in
                let all = contents.count == Answer.Content.allCases.count
                return
                    "\(ranges) with \(all ? "anything" : contents.map(\.rawValue).sorted().joined(separator: ", "))"
            }
            let variants = (variants[problem] ?? []).sorted().joined(separator: "; ")
            return
                "\(problem.name): \(problem.text)\n    \(answers.sorted().joined(separator: "\n    "))"
                + "\n    (\(variants))"
        }
        return "\(count) cases failed\n" + rows.sorted().joined(separator: "\n")
    }

    private static func ranges(_ statuses: Set<Int>) -> String {
        var ranges: [ClosedRange<Int>] = []
        for status in statuses.sorted() {
            if let last = ranges.last, last.upperBound + 1 == status {
                ranges[ranges.count - 1] = last.lowerBound...status
            } else {
                ranges.append(status...status)
            }
        }
        return ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        .joined(separator: " ")
    }
}

/// Runs `check` for all `cases` and their numbers, some of them at the same time, and joins their tables.
func failures<Case: Sendable>(
    in cases: [Case],
    _ check: @escaping @Sendable (Case, Int, inout FailureTable) async throws -> Void
) async throws -> FailureTable {
    let taskCount = 4
    return try await withThrowingTaskGroup(of: FailureTable.self) { group in
        for first in 0..<taskCount {
            group.addTask {
                var table = FailureTable()
                for index in stride(from: first, to: cases.count, by: taskCount) {
                    try await check(cases[index], index, &table)
                }
                return table
            }
        }
        return try await group.reduce(into: FailureTable()) { $0.add($1) }
    }
}
