import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters
import Persistence

extension CacheMethods {
    /// The method that reports the cached data. It changes nothing.
    var status: Method {
        Method(
            Self.status,
            "Shows what is cached, how old it is, and whether bookings are in doubt.",
            title: "Show the cache",
            result: .init("status", "the cached data", schema: Self.schema),
            // Reports what is on disk now, even while a booking is in progress.
            data: DataAccess(reads: ["cache"]),
            errors: [],
            exampleFollows: [AppointmentMethods.book],
            toolSet: .cache
        ) { [self] _ throws(RPCError) in
            ObjectFragment { writer in
                otherAccounts.account.write(to: &writer)
                writer.objects("resources", resources.filter { $0.writeStatus != nil }, write)
                writeImages(to: &writer)
                writer.member("damagedFiles", countDamagedFiles())
                writeJournal(to: &writer)
                otherAccounts.write(to: &writer)
            }
        }
    }

    private static let schema = ObjectSchema([
        Account.property,
        .init("resources", .array(of: .object(resourceSchema))),
        .init(
            "images",
            .object(
                ObjectSchema([
                    .optional("count", .integer),
                    .optional("bytes", .integer),
                    .optional("error", .string, "why they cannot be counted"),
                ]).named("ImageCacheStatus")
            )
        ),
        .init("damagedFiles", .integer, "the number of quarantined files"),
        .init(
            "journal",
            .object(
                ObjectSchema([
                    .optional("open", .integer, "number of bookings and changes in doubt"),
                    .optional("error", .string, "why it cannot be read"),
                ]).named("JournalStatus")
            )
        ),
        OtherAccounts.property,
    ])

    private static let resourceSchema = ObjectSchema([
        .init("name", .string),
        .init(
            "state",
            .string(in: ["empty", "fresh", "incomplete", "expired", "fromFuture", "unreadable"]),
            "incomplete: fresh, but parts of the list were never loaded; fromFuture: its time is in the "
                + "future, so its age is not known"
        ),
        .optional("count", .integer, "the number of elements"),
        .optional("bytes", .integer),
        .optional("savedAt", .string, "when it was loaded from the server"),
        .optional("ageSeconds", .integer),
        .optional("expiresAt", .string, "absent if it never expires"),
        .optional("reason", .string, "why it cannot be read"),
    ]).named("CachedList")

    private func write(_ resource: CachedResource, to writer: inout JSONWriter) {
        writer.member("name", resource.name)
        do {
            try resource.writeStatus?({ (try? store.load(resource.name))?.payload.count }, &writer)
        } catch {
            writer.member("state", "unreadable")
            writer.member("reason", error.description)
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
        writer.object("images") { writer in
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
        writer.object("journal") { writer in
            do {
                writer.member("open", try journal.pending().count)
            } catch {
                writer.member("error", "\(error)")
            }
        }
    }
}
