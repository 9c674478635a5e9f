package import Domain
package import JSON
package import JSONRPC
package import NovaBlendAdapters
package import Persistence

/// The methods about the cache.
package struct CacheMethods {
    let store: FileSnapshotStore
    let images: ImageCache
    let resources: [CachedResource]
    let directory: String
    let journal: any BookingJournal
    let otherAccounts: OtherAccounts
    let personalData: PersonalDataFiles

    package init(
        store: FileSnapshotStore,
        images: ImageCache,
        resources: [CachedResource],
        directory: String,
        journal: any BookingJournal,
        otherAccounts: OtherAccounts,
        personalData: PersonalDataFiles
    ) {
        self.store = store
        self.images = images
        self.resources = resources
        self.directory = directory
        self.journal = journal
        self.otherAccounts = otherAccounts
        self.personalData = personalData
    }

    package static let status: MethodName<CacheStatusReply> = "cache/status"
    package static let validate: MethodName<ValidationReply> = "cache/validate"
    package static let clear: MethodName<ClearingReply> = "cache/clear"
    package static let erase: MethodName<ErasureReply> = "cache/erase"

    package var all: [Method] { [status, validate, clear, erase] }

    var data: DataAccess { DataAccess(changes: Set(["cache"] + resources.map(\.name))) }

    private var validate: Method {
        Method(
            Self.validate,
            "Deletes cached lists and images that have expired or cannot be read.",
            title: "Check the cache",
            parameters: [DryRun.parameter],
            result: .init(
                "resources",
                "the state of each cached resource",
                resources.map {
                    .init($0.name, .string(in: CacheValidation.allCases.map(\.rawValue)))
                } + [DryRun.property]
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: data,
            errors: [.cacheRetrieval, .cacheDeletion],
            exampleFollows: [AppointmentMethods.book.name],
            toolSet: .cache
        ) { [resources] call in
            let isDryRun = try DryRun.isWanted(call.params)
            var found: [(name: String, outcome: CacheValidation)] = []
            for resource in resources {
                found.append((resource.name, try resource.validate(isDryRun)))
            }
            return ValidationReply(found: found, isDryRun: isDryRun)
        }
    }

    private var clear: Method {
        Method(
            Self.clear,
            "Deletes all cached lists and images, also damaged ones; pending bookings are not affected.",
            title: "Clear the cache",
            parameters: [DryRun.parameter],
            result: .init(
                "cleared",
                "the names of the deleted lists; images stands for all images",
                schema: ClearingReply.schema
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: data,
            errors: [.cacheRetrieval, .cacheDeletion],
            exampleFollows: [AppointmentMethods.book.name],
            toolSet: .cache
        ) { [store, images] call in
            let isDryRun = try DryRun.isWanted(call.params)
            do {
                var names = try store.names()
                if try !images.store.names().isEmpty { names.append("images") }
                if !isDryRun {
                    for files in [store, images.store] {
                        try files.removeAll()
                        try files.removeQuarantined()
                    }
                }
                return ClearingReply(names: names.sorted(), isDryRun: isDryRun)
            } catch {
                throw Failure.cache(.deletion, error)
            }
        }
    }
}

/// What was found in the cache, and deleted.
package struct ValidationReply: Reply {
    /// The outcome for each resource.
    package let found: [(name: String, outcome: CacheValidation)]
    package let isDryRun: Bool

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            for (name, outcome) in found { writer.member(named: name, outcome.rawValue) }
        }
    }
}

/// What was deleted from the cache.
package struct ClearingReply: Reply {
    static let schema = ObjectSchema([.init("cleared", .array(of: .string)), DryRun.property])

    /// The names of the deleted lists; `images` stands for all images.
    package let names: [String]
    package let isDryRun: Bool

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.member("cleared", names)
        }
    }
}
