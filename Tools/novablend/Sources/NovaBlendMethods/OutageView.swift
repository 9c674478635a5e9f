import Contract
package import Domain
package import JSON

/// Whether the server answers, for a program that follows changes.
package struct OutageView {
    static let properties: [ObjectSchema.Property] = [
        .init(
            "offline",
            .boolean,
            "true if the server has stopped answering, false if it answers again"
        ),
        .optional("since", .dateTime, "since when it does not answer"),
        .optional("reason", .string, "why it does not answer, for a person"),
    ]

    private let outage: (since: Timestamp, error: Failure)?

    /// Describes an outage; nil if the server answers.
    package init(_ outage: (since: Timestamp, error: Failure)?) { self.outage = outage }

    /// Writes the members that describe the outage.
    package func write(to writer: inout JSONWriter) {
        writer.member("offline", outage != nil)
        writer.member("since", outage.map { ISO8601.formatUTC($0.since) })
        writer.member("reason", outage?.error.description)
    }
}
