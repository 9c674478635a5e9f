import BookingStorage
import Contract
import Domain
import JSON

/// The JSON in which `audit --json` prints an entry of the audit log.
enum AuditEntryJSON {
    static func encode(_ entry: AuditEntry) -> String {
        let json = JSONFragment { writer in
            writer.object { writer in
                writer.member("time", ISO8601.formatUTC(entry.time))
                writer.member("role", entry.role.rawValue)
                writer.member("tokenId", entry.tokenID)
                writer.member("action", entry.action.rawValue)
                writer.member("kind", entry.kind.rawValue)
                writer.member("id", entry.id)
                writer.member("salonId", entry.salonID?.description)
                writer.member("version", entry.version)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
