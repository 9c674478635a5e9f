import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// Adds the present time and an example to errors about times: a language model that made a mistake
/// usually does not know what day it is.
enum TimeAdvice {
    /// `method` with advice in its errors about times.
    static func added(to method: Method) -> Method {
        var advising = method
        let complete = { @Sendable (error: RPCError) in completed(error, of: method) }
        advising.completeError = complete
        advising.handler = { call throws(RPCError) in
            do throws(RPCError) { return try await method.handler(call) } catch {
                throw complete(error)
            }
        }
        if let makeConfirmation = method.declaration.makeConfirmation {
            advising.declaration.makeConfirmation = { params throws(RPCError) in
                do throws(RPCError) { return try await makeConfirmation(params) } catch {
                    throw complete(error)
                }
            }
        }
        return advising
    }

    private static let rejections: [ProgramError] = [
        .slotUnavailable, .outsideOpeningHours, .notBookable,
    ]

    private static func completed(_ error: RPCError, of method: Method) -> RPCError {
        var completed = error
        if rejections.contains(where: { $0.code == error.code }) {
            // The alternatives are examples.
            completed.message += ". \(now)"
        } else if names(inMessageOf: error, method).contains(where: { $0.isTime }) {
            completed.message += ". \(now); \(example)"
        }
        return completed
    }

    /// The parameters that an error about parameters names.
    private static func names(
        inMessageOf error: RPCError,
        _ method: Method
    ) -> [Method.Parameter] {
        guard error.code == RPCError.invalidParams("").code else { return [] }
        return method.parameters.filter { error.message.contains("\"\($0.name)\"") }
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
