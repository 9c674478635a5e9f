import Contract
import Domain
import JSON
package import JSONRPC
import NovaBlendAdapters

/// Adds the present time to errors about times: a language model that made a mistake usually does not
/// know what day it is.
package enum TimeAdvice {
    private static let member = "now"

    /// Completes the error of a call of a method with these parameters. If the error is about a
    /// time, its data gets the present time.
    static func completed(
        _ error: RPCError,
        of parameters: () -> [Method.Parameter]
    ) -> RPCError {
        let isAboutTimes =
            ProgramError.aboutTimes.contains { $0.code == error.code }
            || error.isInvalidParams
                && parameters().contains {
                    $0.timeKind != nil && error.message.contains("\"\($0.name)\"")
                }
        guard isAboutTimes else { return error }
        var completed = error
        completed.data = error.data?.addingMember(member, ISO8601.formatUTC(SystemClock().now))
        return completed
    }

    /// The error for a language model. Its message says what day it is, and has an example if the form
    /// of a time is wrong. Its data lacks the reason, which the message contains.
    package static func explained(_ error: RPCError) -> RPCError {
        guard let data = error.data,
            let members = try? JSONDocument(parsing: data.bytes).root.object()
        else { return error }
        var explained = error
        explained.data = JSONFragment.object { writer in
            for (key, value) in members where key != ProgramError.reason.description {
                writer.member(named: key, JSONFragment { $0.value(value) })
            }
        }
        guard let text = try? members.member(named: member)?.string(), let now = ISO8601.parse(text)
        else { return explained }
        explained.message += ". It is \(now.localTime.date.weekday.rawValue), \(text)"
        if error.isInvalidParams, formMarks.contains(where: error.message.contains) {
            // Noon of the next day is always in the future.
            let tomorrow = now.localTime.date.advanced(byDays: 1)
            explained.message +=
                "; for example \(tomorrow)T12:00Z. \(SlotMethods.availability) lists the free times"
        }
        return explained
    }

    /// What the message contains if a time is missing or its form is wrong. Where the form is right, an
    /// example would hide what is wrong.
    private static let formMarks = ["such as", "weekday", "YYYY-MM-DD", "must be a string"]
}

extension RPCError {
    fileprivate var isInvalidParams: Bool { code == RPCError.invalidParams("").code }
}

extension Method.Parameter {
    /// What a parameter about times accepts.
    enum TimeKind: String {
        case time
        case timeOrDate
    }

    private enum TimeKey: Annotations.Key { typealias Value = TimeKind }

    /// What the parameter accepts; nil if its value is not a time.
    var timeKind: TimeKind? { annotations[TimeKey.self] }

    /// A parameter whose value is a time, or with `timeOrDate` also a date.
    static func time(
        _ name: String,
        _ summary: String,
        isRequired: Bool = false,
        kind: TimeKind = .time
    ) -> Self {
        var parameter = Self(name, summary, isRequired: isRequired)
        parameter.annotations[TimeKey.self] = kind
        return parameter
    }
}
