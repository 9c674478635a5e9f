import Contract
package import Domain
import JSON
package import JSONRPC
package import NovaBlendAdapters
package import NovaBlendChanges

/// The methods that change salons.
package struct SalonChangeMethods {
    private let makeChanging: @Sendable () -> ChangeSalon
    private let makeSalons: @Sendable () -> LoadedSalons
    private let changes: ChangeNotifier

    /// The use case and the salons are made when a method is called, as in ``SalonMethods``.
    package init(
        _ changing: @escaping @autoclosure @Sendable () -> ChangeSalon,
        salons: @escaping @autoclosure @Sendable () -> LoadedSalons,
        changes: ChangeNotifier
    ) {
        makeChanging = changing
        makeSalons = salons
        self.changes = changes
    }

    package static let put: MethodName<SalonChangeReply> = "salons/put"
    package static let delete: MethodName<SalonChangeReply> = "salons/delete"

    package var all: [Method] { [put, delete] }

    private var put: Method {
        method(
            Self.put,
            "Creates a salon, or replaces all of it. Lists appointments that no longer fit; they "
                + "remain booked. Few servers allow it.",
            title: "Create or replace a salon",
            subject: SalonParameter.parameter,
            version: "the expected version, or 0 if the salon must not exist; by default the "
                + "version in salon, or else the current one",
            others: [Self.keep],
            result: SalonChangeReply.schema,
            effect: .changes(destroys: true, isIdempotent: true),
            errors: [],
            example: """
                {"salon": {"id": "\(ExampleID.salon)", "name": "Atelier Nova", \
                "location": "12 Rue des Martyrs, Paris", "open_time": 12.30, "close_time": 20.30, \
                "slot_minutes": 60, "time_zone": "Europe/Paris"}, "version": 1}
                """,
            exampleFollows: [AppointmentMethods.book.name]
        ) { params in
            .put(try SalonParameter.read(params), keepsWallClock: try Self.keepsWallClock(params))
        }
    }

    private static let keep = Method.Parameter(
        "keep",
        "\(wallClock): appointments keep their local times in a new time zone",
        .string(in: [wallClock])
    )
    private static let wallClock = "wallClock"

    private static func keepsWallClock(_ params: Params) throws(RPCError) -> Bool {
        guard let value = try params.string(keep.name) else { return false }
        if value == wallClock { return true }
        throw .invalidParams("\"\(keep.name)\" must be \(wallClock)", parameter: keep.name)
    }

    private var delete: Method {
        method(
            Self.delete,
            "Deletes a salon. Fails if it has appointments in the future. Few servers allow it.",
            title: "Delete a salon",
            subject: SalonReference.parameter(isRequired: true),
            version: "the expected version, from \(SalonMethods.list); by default the current one",
            result: SalonChangeReply.deletionSchema,
            effect: .changes(destroys: true, isIdempotent: true),
            errors: ProgramError.loading + [.salonHasBookings],
            example: #"{"salonId": "\#(ExampleID.salon)", "version": 1}"#
        ) { [makeSalons] params in
            guard let id = try await SalonReference.changedID(in: params, makeSalons()) else {
                throw RPCError.missing("salonId")
            }
            return .delete(id)
        }
    }

    private func method(
        _ name: MethodName<SalonChangeReply>,
        _ summary: String,
        title: String,
        subject: @escaping @autoclosure @Sendable () -> Method.Parameter,
        version: String,
        others: @escaping @autoclosure @Sendable () -> [Method.Parameter] = [],
        result: @escaping @autoclosure @Sendable () -> ObjectSchema,
        effect: Method.Effect,
        errors: [ProgramError],
        example: String,
        exampleFollows: [String] = [],
        request: @escaping @Sendable (Params) async throws -> SalonChangeRequest
    ) -> Method {
        Method(
            name,
            summary,
            title: title,
            parameters: [
                subject(), .init("version", version, .integer),
            ] + others() + [DryRun.parameter],
            result: .init("change", "what happened to the salon", schema: result()),
            effect: effect,
            data: DataAccess(reads: [AppointmentListCodec.name], changes: [SalonListCodec.name]),
            errors: Self.errors + errors,
            example: example,
            exampleFollows: exampleFollows,
            confirmation: { params in
                let version = try params.integer("version")
                let request = try await request(params)
                var confirmation = SalonChangeDetails.confirmation(
                    of: try await change(request, version, isDryRun: true)
                )
                if case .delete(let id) = request {
                    confirmation?.pinnedArguments.merge(SalonReference.pinned(id)) { $1 }
                }
                return confirmation
            },
            toolSet: .admin,
            attempt: .salon
        ) { call in
            let request = try await request(call.params)
            let version = try call.params.integer("version")
            let isDryRun = try DryRun.isWanted(call.params)
            if !isDryRun { call.report("changing the salon") }
            return SalonChangeReply(
                change: try await change(request, version, isDryRun: isDryRun),
                isDryRun: isDryRun
            )
        }
    }

    private static let errors: [ProgramError] = [
        .bookingRequiresConnection, .invalidData, .serverRejected, .notAuthenticated, .notAllowed,
        .salonNotFound, .versionConflict, .salonInDoubt, .notConfigured,
    ]

    private func change(
        _ request: SalonChangeRequest,
        _ version: Int?,
        isDryRun: Bool
    ) async throws -> SalonChange {
        let changing = makeChanging()
        if isDryRun { return try await changing.preview(request, version: version) }
        let change = try await changing.change(request, version: version)
        changes.announce(SalonListCodec.name)
        return change
    }
}
