import Domain
import JSON
import JSONRPC
import Persistence

/// The methods about what is kept.
struct CacheMethods {
    private let store: any SnapshotStore
    private let validations:
        [(name: String, run: @Sendable () throws(CacheError) -> CacheValidation)]

    init(
        store: any SnapshotStore,
        salons: ResourceLoader<[Salon]>,
        appointments: ResourceLoader<[Appointment]>
    ) {
        self.store = store
        validations = [
            ("salons", { () throws(CacheError) in try salons.validateCache() }),
            ("appointments", { () throws(CacheError) in try appointments.validateCache() }),
        ]
    }

    var all: [Method] { [validate, clear] }

    private var validate: Method {
        Method(
            "cache/validate",
            "Deletes what is kept where it has expired or cannot be read.",
            title: "Check the cache",
            result: .init(
                "resources",
                "what was found, by name",
                schema: ObjectSchema(
                    validations.map {
                        .init($0.name, Schemas.oneOf(CacheValidation.allCases.map(\.rawValue)))
                    }
                )
            ),
            effect: .changes(destroys: true, isIdempotent: true)
        ) { [validations] _ throws(RPCError) in
            var found: [(String, CacheValidation)] = []
            for validation in validations {
                do throws(CacheError) {
                    found.append((validation.name, try validation.run()))
                } catch {
                    throw RPCError(error)
                }
            }
            return JSONFragment { writer in
                writer.object { writer in
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
            "Forgets everything that is kept for offline use; bookings under way stay.",
            title: "Clear the cache",
            result: .init(
                "cleared",
                "the names that were forgotten",
                schema: ObjectSchema([
                    .init("cleared", Schemas.array(of: Schemas.string))
                ])
            ),
            effect: .changes(destroys: true, isIdempotent: true)
        ) { [store] _ throws(RPCError) in
            do throws(StoreError) {
                let names = try store.names()
                for name in names { try store.remove(name) }
                return JSONFragment { writer in
                    writer.object { writer in
                        writer.key("cleared")
                        writer.array { writer in
                            for name in names { writer.string(name) }
                        }
                    }
                }
            } catch {
                throw RPCError(CacheError(.deletion, reason: error.description))
            }
        }
    }
}
