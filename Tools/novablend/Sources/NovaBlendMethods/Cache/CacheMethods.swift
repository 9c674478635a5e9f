package import Domain
import JSON
package import JSONRPC
package import NovaBlendAdapters
package import Persistence

/// The methods about what is kept.
package struct CacheMethods {
    private let store: any SnapshotStore
    private let validations: [Validation]
    private let status: CacheStatus

    /// What validates the cache of a resource, and what looks at it.
    package struct Validation: Sendable {
        let name: String
        let run: @Sendable (_ isDryRun: Bool) throws(CacheError) -> CacheValidation
        /// Nil where no single load has it.
        var inspect: CacheStatus.Inspection?

        package init(
            _ name: String,
            _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<[some Sendable]>
        ) {
            self.init(name, loader(), count: \.count)
        }

        package init<List>(
            _ name: String,
            _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<List>,
            count: @escaping @Sendable (List) -> Int
        ) {
            self.name = name
            run = { isDryRun throws(CacheError) in
                try loader().validateCache(isDryRun: isDryRun)
            }
            inspect = { () throws(CacheError) in
                try loader().inspectCache().map { .init($0, count: count($0.value)) }
            }
        }

        /// That of the images, which no single load has.
        package init(_ name: String, _ shelf: ImageCache) {
            self.name = name
            run = { isDryRun throws(CacheError) in
                do throws(StoreError) {
                    return try shelf.validate(isDryRun: isDryRun)
                } catch {
                    throw CacheError(.deletion, reason: error.description)
                }
            }
        }
    }

    package init(
        store: any SnapshotStore,
        validations: [Validation],
        directory: String,
        journal: any BookingJournal,
        otherAccounts: OtherAccounts
    ) {
        self.store = store
        self.validations = validations
        let inspections = validations.compactMap { validation in
            validation.inspect.map { (validation.name, $0) }
        }
        status = CacheStatus(
            store: store,
            inspections: inspections,
            directory: directory,
            journal: journal,
            otherAccounts: otherAccounts
        )
    }

    package var all: [Method] { [status.method, validate, clear] }

    private var validate: Method {
        Method(
            "cache/validate",
            "Deletes what is kept where it has expired or cannot be read.",
            title: "Check the cache",
            parameters: [DryRun.parameter],
            result: .init(
                "resources",
                "what was found, by name",
                schema: ObjectSchema(
                    validations.map {
                        .init($0.name, Schemas.oneOf(CacheValidation.allCases.map(\.rawValue)))
                    } + [DryRun.property]
                )
            ),
            effect: .changes(destroys: true, isIdempotent: true)
        ) { [validations] call throws(RPCError) in
            let isDryRun = try DryRun.isWanted(call.params)
            var found: [(String, CacheValidation)] = []
            for validation in validations {
                do throws(CacheError) {
                    found.append((validation.name, try validation.run(isDryRun)))
                } catch {
                    throw RPCError(error)
                }
            }
            return JSONFragment { writer in
                writer.object { writer in
                    writer.dryRun(isDryRun)
                    for (name, outcome) in found {
                        writer.key(name)
                        writer.string(outcome.rawValue)
                    }
                }
            }
        }
    }

    private var clear: Method {
        Method(
            "cache/clear",
            "Forgets everything that is kept for offline use, images included; bookings under way stay.",
            title: "Clear the cache",
            parameters: [DryRun.parameter],
            result: .init(
                "cleared",
                "the names that were forgotten; images are one",
                schema: ObjectSchema([
                    .init("cleared", Schemas.array(of: Schemas.string)), DryRun.property,
                ])
            ),
            effect: .changes(destroys: true, isIdempotent: true)
        ) { [store] call throws(RPCError) in
            let isDryRun = try DryRun.isWanted(call.params)
            do throws(StoreError) {
                let names = try store.names()
                if !isDryRun { for name in names { try store.remove(name) } }
                return JSONFragment { writer in
                    writer.object { writer in
                        writer.dryRun(isDryRun)
                        writer.key("cleared")
                        writer.array { writer in
                            for name in names where !ImageCache.holds(name) {
                                writer.string(name)
                            }
                        }
                    }
                }
            } catch {
                throw RPCError(CacheError(.deletion, reason: error.description))
            }
        }
    }
}
