import BookingStorage
import Contract
import Domain
import JSON

/// The JSON in which the backend returns changes.
enum ServedChanges {
    /// The schema of a response. Only the first one, which has no changes, omits the other members.
    static let schema = JSONSchema.object(
        ObjectSchema([
            .init("cursor", Route.Parameter.cursorText, "the next `since`"),
            .optional(
                "more",
                .boolean,
                "whether there are more changes, which were made before the request"
            ),
            .optional(
                "salons",
                .array(of: SalonCodec.schema),
                "the salons that were created or replaced"
            ),
            .optional(
                "appointments",
                .array(of: ServedAppointment.schema),
                "the appointments that were booked, changed, or cancelled"
            ),
            .optional("deleted", .array(of: deletion), "what was deleted"),
        ]).named("Changes")
    )

    private static let deletion = JSONSchema.object(
        ObjectSchema([
            .init("kind", .string(in: ["salon", "appointment"])),
            .init("id", LocalIDCodec.schema),
        ])
    )

    /// Encodes only a cursor.
    static func encode(_ cursor: ChangeCursor, for role: Principal.Role) -> [UInt8] {
        ObjectFragment { $0.member("cursor", cursor.text(for: role)) }.fragment.bytes
    }

    /// Encodes as much of a page as fits in a response. `salon` returns what is served of a salon.
    static func encode(
        _ page: ChangePage,
        for role: Principal.Role,
        salon served: (Salon) -> Salon
    ) -> [UInt8] {
        var budget = PageBudget(limit: page.changes.count)
        let changes = page.changes.prefix { budget.take(bytes: $0.approximateBytes) }
        let isComplete = changes.count == page.changes.count
        let cursor = isComplete ? page.cursor : changes.last?.cursor ?? page.cursor
        return ObjectFragment { writer in
            writer.member("cursor", cursor.text(for: role))
            writer.member("more", page.hasMore || !isComplete)
            writer.array("salons") { writer in
                for case .salon(let salon) in changes.map(\.element) {
                    SalonCodec.write(served(salon), to: &writer)
                }
            }
            writer.array("appointments") { writer in
                for case .appointment(let appointment) in changes.map(\.element) {
                    ServedAppointment.write(appointment, to: &writer)
                }
            }
            let deletions = changes.compactMap(\.deletion).map { kind, id in
                ObjectFragment { writer in
                    writer.member("kind", kind)
                    writer.member("id", id)
                }.fragment
            }
            writer.member("deleted", deletions)
        }.fragment.bytes
    }
}

extension StoredChange {
    /// What was deleted, and its id; nil if it still exists.
    fileprivate var deletion: (kind: String, id: String)? {
        switch element {
        case .salon, .appointment: nil
        case .deletedSalon(let id): ("salon", id.description)
        case .deletedAppointment(let deleted): ("appointment", deleted.id)
        }
    }

    /// The approximate length of the JSON.
    fileprivate var approximateBytes: Int {
        switch element {
        case .salon(let salon): salon.approximateBytes
        case .deletedSalon, .deletedAppointment: 64
        case .appointment(let appointment): appointment.approximateBytes
        }
    }
}
