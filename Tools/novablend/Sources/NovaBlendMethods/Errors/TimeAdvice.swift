import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// Adds the present time and an example to errors about times: a language model that made a mistake
/// usually does not know what day it is.
enum TimeAdvice {
    private static let rejections: [ProgramError] = [
        .slotUnavailable, .outsideOpeningHours, .notBookable,
    ]

    /// The error of a call of a method with these parameters, with advice if it is about times.
    static func completed(
        _ error: RPCError,
        of parameters: () -> [Method.Parameter]
    ) -> RPCError {
        var completed = error
        if rejections.contains(where: { $0.code == error.code }) {
            // The alternatives are examples.
            completed.message += ". \(now)"
        } else if error.code == RPCError.invalidParams("").code,
            parameters().contains(where: { $0.isTime && error.message.contains("\"\($0.name)\"") })
        {
            completed.message += ". \(now); \(example)"
        }
        return completed
    }

    private static var now: String {
        let now = AppointmentTime(instant: SystemClock().now)
        return "It is \(now.localTime.date.weekday.rawValue), \(ISO8601.formatUTC(now.instant))"
    }

    /// Noon of the next day, in UTC.
    private static var example: String {
        let tomorrow = LocalTime(SystemClock().now, offsetSeconds: 0).date.advanced(byDays: 1)
        return "write times like \(tomorrow)T12:00Z, or without Z if the salon has a time zone. "
            + "\(SlotMethods.availability) lists the free times"
    }
}

extension Method.Parameter {
    private enum TimeKey: Annotations.Key { typealias Value = Bool }

    /// Whether its value is a time.
    fileprivate var isTime: Bool { annotations[TimeKey.self] ?? false }

    /// A parameter whose value is a time.
    static func time(_ name: String, _ summary: String, isRequired: Bool = false) -> Self {
        var parameter = Self(name, summary, isRequired: isRequired)
        parameter.annotations[TimeKey.self] = true
        return parameter
    }
}
