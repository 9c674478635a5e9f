import Contract
import Domain
import JSON
import JSONRPC

/// The question before a change of a salon, with everything that the change stores or deletes.
enum SalonChangeDetails {
    /// How many appointments a question lists.
    private static let maximumAppointments = 10

    /// The question; nil if nothing would change.
    ///
    /// The confirmed change applies only to the version that the question shows, if the server
    /// states versions: the person has seen no other one. 0 means that the salon must not exist.
    static func confirmation(of change: SalonChange) -> Method.Confirmation? {
        guard let question = question(change.outcome) else { return nil }
        var pinned: [String: JSONFragment] = [:]
        if let version = change.before == nil ? 0 : change.before?.version {
            pinned["version"] = JSONFragment { $0.integer(version) }
        }
        return Method.Confirmation(
            question: question,
            details: lines(of: change),
            pinnedArguments: pinned
        )
    }

    private static func question(_ outcome: SalonChange.Outcome) -> String? {
        switch outcome {
        case .created: "Create this salon?"
        case .changed: "Change this salon?"
        case .unchanged: nil
        case .deleted: "Delete this salon?"
        }
    }

    private static func lines(of change: SalonChange) -> [String] {
        let shown = change.before ?? change.after
        let name = shown.map { "\($0.name), \($0.location)" } ?? ""
        let version = change.before?.version.map { ", version \($0)" } ?? ""
        let id = shown.map { "\($0.id)\(version)" } ?? ""
        return [line("Salon", name), line("ID", id)]
            + ChangedMember.all(from: change.before, to: change.after).map(line)
            + appointments(of: change)
    }

    private static func line(_ member: ChangedMember) -> String {
        let values = [member.old, member.new ?? "removed"].compactMap(\.self)
        return line(member.name, values.joined(separator: " -> "))
    }

    private static func line(_ label: String, _ value: String) -> String {
        "\(label): \(VisibleText.line(value))"
    }

    private static func appointments(of change: SalonChange) -> [String] {
        var lines: [String] = []
        if let moved = change.moved { lines.append("Appointments that move: \(moved)") }
        let all = change.conflicts
        if !all.isEmpty { lines.append("Appointments that no longer fit: \(all.count)") }
        lines += all.prefix(maximumAppointments).map { conflict in
            let booking = conflict.appointment.booking
            let times = [booking.time, conflict.newLocalTime].compactMap(\.self)
                .map(ISO8601.formatRFC3339).joined(separator: " -> ")
            let reasons = conflict.reasons.map(\.text).joined(separator: ", ")
            return line("Does not fit", "\(times), \(booking.phone), \(reasons)")
        }
        if let error = change.appointmentsError { lines.append(line("Not known", error)) }
        return lines
    }
}
