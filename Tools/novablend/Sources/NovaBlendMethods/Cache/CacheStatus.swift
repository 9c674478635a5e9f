import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters
import Persistence

/// The method that tells what is kept, and changes nothing.
struct CacheStatus: Sendable {
    /// What is kept of a resource.
    struct Kept: Sendable {
        let count: Int
        let fetchedAt: Timestamp
        let ageSeconds: Int64
        let expiresAt: Timestamp?
        let isFresh: Bool

        init(_ inspection: CacheInspection<some Sendable>, count: Int) {
            self.count = count
            fetchedAt = inspection.fetchedAt
            ageSeconds = inspection.ageSeconds
            expiresAt = inspection.expiresAt
            isFresh = inspection.isFresh
        }
    }

    /// Looks at what is kept of one; nil when nothing is.
    typealias Inspection = @Sendable () throws(CacheError) -> Kept?

    let store: any SnapshotStore
    let inspections: [(name: String, inspect: Inspection)]
    let directory: String
    let journal: any BookingJournal
    let otherAccounts: OtherAccounts

    var method: Method {
        Method(
            "cache/status",
            "Tells what is kept for offline use, how old it is, and whether bookings are in doubt.",
            title: "Show the cache",
            result: .init("status", "what is kept", schema: Self.schema)
        ) { _ throws(RPCError) in
            JSONFragment { writer in
                writer.object { writer in
                    otherAccounts.account.write(to: &writer)
                    writer.key("resources")
                    writer.array { writer in
                        for (name, inspect) in inspections { write(name, inspect, to: &writer) }
                    }
                    writeImages(to: &writer)
                    writer.member("damagedFiles", DamagedFiles.count(in: directory))
                    writeJournal(to: &writer)
                    otherAccounts.write(to: &writer)
                }
            }
        }
    }
}

extension CacheStatus {
    private static let schema = ObjectSchema([
        Account.property,
        .init("resources", Schemas.array(of: resourceSchema.fragment)),
        .init(
            "images",
            ObjectSchema([
                .init("count", Schemas.integer, isRequired: false),
                .init("bytes", Schemas.integer, isRequired: false),
                .init("error", Schemas.string, "why they cannot be counted", isRequired: false),
            ]).fragment
        ),
        .init("damagedFiles", Schemas.integer, "how many were put aside"),
        .init(
            "journal",
            ObjectSchema([
                .init("open", Schemas.integer, "bookings in doubt", isRequired: false),
                .init("error", Schemas.string, "why it cannot be read", isRequired: false),
            ]).fragment
        ),
        OtherAccounts.property,
    ])

    private static let resourceSchema = ObjectSchema([
        .init("name", Schemas.string),
        .init("state", Schemas.oneOf(["empty", "fresh", "expired", "unreadable"])),
        .init("count", Schemas.integer, "how many elements", isRequired: false),
        .init("bytes", Schemas.integer, isRequired: false),
        .init("savedAt", Schemas.string, "when the remote gave it", isRequired: false),
        .init("ageSeconds", Schemas.integer, isRequired: false),
        .init("expiresAt", Schemas.string, "nothing for never", isRequired: false),
        .init("reason", Schemas.string, "why it cannot be read", isRequired: false),
    ])

    private func write(_ name: String, _ inspect: Inspection, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            do throws(CacheError) {
                guard let kept = try inspect() else {
                    return writer.member("state", "empty")
                }
                writer.member("state", kept.isFresh ? "fresh" : "expired")
                writer.member("count", kept.count)
                writer.member("bytes", (try? store.load(name))?.payload.count)
                writer.member("savedAt", Self.text(kept.fetchedAt))
                writer.member("ageSeconds", kept.ageSeconds)
                writer.member("expiresAt", kept.expiresAt.map(Self.text))
            } catch {
                writer.member("state", "unreadable")
                writer.member("reason", error.description)
            }
        }
    }

    /// As the provenance of a list has times.
    private static func text(_ time: Timestamp) -> String {
        ISO8601.format(AppointmentTime(instant: time))
    }

    private func writeImages(to writer: inout JSONWriter) {
        writer.key("images")
        writer.object { writer in
            do throws(StoreError) {
                let total = try ImageCache(store: store).total()
                writer.member("count", total.count)
                writer.member("bytes", total.bytes)
            } catch {
                writer.member("error", error.description)
            }
        }
    }

    private func writeJournal(to writer: inout JSONWriter) {
        writer.key("journal")
        writer.object { writer in
            do throws(JournalError) {
                writer.member("open", try journal.pending().count)
            } catch {
                writer.member("error", error.reason)
            }
        }
    }
}
