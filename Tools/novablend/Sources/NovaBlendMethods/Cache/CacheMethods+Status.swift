import Contract
import Domain
package import JSON
import JSONRPC
import NovaBlendAccounts
package import NovaBlendAdapters
import Persistence

extension CacheMethods {
    /// The method that reports the cached data. It changes nothing.
    var status: Method {
        Method(
            Self.status,
            "Shows what is cached, how old it is, and whether bookings are in doubt.",
            title: "Show the cache",
            result: .init("status", "the cached data", schema: CacheStatusReply.schema),
            // Reports what is on disk now, even while a booking is in progress.
            data: DataAccess(reads: ["cache"]),
            errors: [],
            exampleFollows: [AppointmentMethods.book.name],
            toolSet: .cache
        ) { [self] _ in
            CacheStatusReply(
                lists: resources.compactMap(status),
                images: imageUsage,
                damagedFiles: countDamagedFiles(),
                journal: openBookings,
                accounts: otherAccounts
            )
        }
    }

    private func status(of resource: CachedResource) -> CachedListStatus? {
        guard let status = resource.status else { return nil }
        do {
            return try status { (try? store.load(resource.name))?.payload.count }
        } catch {
            return CachedListStatus(
                name: resource.name,
                state: .unreadable,
                reason: error.description
            )
        }
    }

    /// The number of quarantined files, as far as the directories can be read.
    private func countDamagedFiles() -> Int {
        [directory, images.directory].flatMap { DirectoryListing.names(in: $0) }.count { name in
            let parts = name.split(separator: ".")
            return parts.count >= 3 && parts.last?.hasPrefix("damaged-") == true
        }
    }

    private var imageUsage: CacheStatusReply.Images {
        do {
            let usage = try images.store.usage()
            return .init(count: usage.count, bytes: usage.bytes)
        } catch {
            return .init(error: error.description)
        }
    }

    private var openBookings: CacheStatusReply.Journal {
        do { return .init(open: try journal.pending().count) } catch {
            return .init(error: "\(error)")
        }
    }
}

/// What is cached, and whether bookings are in doubt.
package struct CacheStatusReply: Reply {
    static let schema = ObjectSchema([
        Account.property,
        .init("resources", .array(of: .object(CachedListStatus.schema))),
        .init("images", .object(Images.schema)),
        .init("damagedFiles", .integer, "the number of quarantined files"),
        .init("journal", .object(Journal.schema)),
        OtherAccounts.property,
    ])

    /// The cached images.
    package struct Images: Sendable {
        fileprivate static let schema = ObjectSchema([
            .optional("count", .integer),
            .optional("bytes", .integer),
            .optional("error", .string, "why they cannot be counted"),
        ]).named("ImageCacheStatus")

        package var count: Int?
        package var bytes: Int?
        /// Why they cannot be counted.
        package var error: String?
    }

    /// The bookings and changes in the journal.
    package struct Journal: Sendable {
        fileprivate static let schema = ObjectSchema([
            .optional("open", .integer, "number of bookings and changes in doubt"),
            .optional("error", .string, "why it cannot be read"),
        ]).named("JournalStatus")

        /// The number of bookings and changes in doubt.
        package var open: Int?
        /// Why it cannot be read.
        package var error: String?
    }

    package let lists: [CachedListStatus]
    package let images: Images
    /// The number of quarantined files.
    package let damagedFiles: Int
    package let journal: Journal
    package let accounts: OtherAccounts

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            accounts.account.write(to: &writer)
            writer.objects("resources", lists) { $0.write(to: &$1) }
            writer.object("images") { writer in
                writer.member("count", images.count)
                writer.member("bytes", images.bytes)
                writer.member("error", images.error)
            }
            writer.member("damagedFiles", damagedFiles)
            writer.object("journal") { writer in
                writer.member("open", journal.open)
                writer.member("error", journal.error)
            }
            accounts.write(to: &writer)
        }
    }
}
