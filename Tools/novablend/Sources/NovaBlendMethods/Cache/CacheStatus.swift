import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters
import Persistence

/// The method that reports the cached data. It changes nothing.
struct CacheStatus: Sendable {
    let store: any SnapshotStore
    let images: ImageCache
    let resources: [CachedResource]
    let directory: String
    let journal: any BookingJournal
    let otherAccounts: OtherAccounts

    var method: Method {
        Method(
            CacheMethods.status,
            "Shows what is cached, how old it is, and whether bookings are in doubt.",
            title: "Show the cache",
            result: .init("status", "the cached data", schema: Self.schema),
            // Reports what is on disk now, even while a booking is in progress.
            data: DataAccess(reads: ["cache"]),
            errors: [],
            exampleFollows: [AppointmentMethods.book]
        ) { _ throws(RPCError) in
            ObjectFragment { writer in
                otherAccounts.account.write(to: &writer)
                writer.key("resources")
                writer.array { writer in
                    for resource in resources {
                        guard let status = resource.status else { continue }
                        write(resource.name, status, to: &writer)
                    }
                }
                writeImages(to: &writer)
                writer.member("damagedFiles", countDamagedFiles())
                writeJournal(to: &writer)
                otherAccounts.write(to: &writer)
            }
        }
    }
}

extension CacheStatus {
    private static let schema = ObjectSchema([
        Account.property,
        .init("resources", Schemas.array(of: resourceSchema)),
        .init(
            "images",
            .object(
                ObjectSchema([
                    .init("count", Schemas.integer, isRequired: false),
                    .init("bytes", Schemas.integer, isRequired: false),
                    .init("error", Schemas.string, "why they cannot be counted", isRequired: false),
                ]).named("ImageCacheStatus")
            )
        ),
        .init("damagedFiles", Schemas.integer, "the number of quarantined files"),
        .init(
            "journal",
            .object(
                ObjectSchema([
                    .init("open", Schemas.integer, "bookings in doubt", isRequired: false),
                    .init("error", Schemas.string, "why it cannot be read", isRequired: false),
                ]).named("JournalStatus")
            )
        ),
        OtherAccounts.property,
    ])

    private static let resourceSchema = ObjectSchema([
        .init("name", Schemas.string),
        .init(
            "state",
            Schemas.oneOf(["empty", "fresh", "incomplete", "expired", "unreadable"]),
            "incomplete: fresh, but parts of the list were never loaded"
        ),
        .init("count", Schemas.integer, "the number of elements", isRequired: false),
        .init("bytes", Schemas.integer, isRequired: false),
        .init("savedAt", Schemas.string, "when it was loaded from the server", isRequired: false),
        .init("ageSeconds", Schemas.integer, isRequired: false),
        .init("expiresAt", Schemas.string, "absent if it never expires", isRequired: false),
        .init("reason", Schemas.string, "why it cannot be read", isRequired: false),
    ]).named("CachedList")

    private func write(
        _ name: String,
        _ status: () throws(CacheError) -> CachedResource.Status?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("name", name)
            do throws(CacheError) {
                guard let cached = try status() else {
                    return writer.member("state", "empty")
                }
                let fresh = cached.isComplete ? "fresh" : "incomplete"
                writer.member("state", cached.isFresh ? fresh : "expired")
                writer.member("count", cached.count)
                writer.member("bytes", (try? store.load(name))?.payload.count)
                writer.member("savedAt", ISO8601.formatUTC(cached.fetchedAt))
                writer.member("ageSeconds", cached.ageSeconds)
                writer.member("expiresAt", cached.expiresAt.map(ISO8601.formatUTC))
            } catch {
                writer.member("state", "unreadable")
                writer.member("reason", error.description)
            }
        }
    }

    /// The number of quarantined files, as far as the directories can be read.
    private func countDamagedFiles() -> Int {
        [directory, images.directory].flatMap { DirectoryListing.names(in: $0) }.count { name in
            let parts = name.split(separator: ".")
            return parts.count >= 3 && parts.last?.hasPrefix("damaged-") == true
        }
    }

    private func writeImages(to writer: inout JSONWriter) {
        writer.key("images")
        writer.object { writer in
            do throws(StoreError) {
                let usage = try images.store.usage()
                writer.member("count", usage.count)
                writer.member("bytes", usage.bytes)
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
