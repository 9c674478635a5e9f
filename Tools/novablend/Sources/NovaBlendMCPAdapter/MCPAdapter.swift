import Contract
import Domain
import JSON
package import JSONRPC
package import MCP
package import NovaBlendAdapters
import NovaBlendMethods

/// Presents the methods to agents over MCP: identity, resources, prompts, and completions.
package struct MCPAdapter {
    private static let scheme = "novablend://"

    /// The URI of a resource, or of the topic of a change.
    package static func uri(of resource: String) -> String { scheme + resource }

    /// The topic of `uri`; nil if it has a different scheme.
    package static func topic(of uri: String) -> String? {
        uri.hasPrefix(scheme) ? String(uri.dropFirst(scheme.count)) : nil
    }

    private let makeSalons: @Sendable () -> LoadedSalons
    private let methods: [Method]
    private let version: String
    private let settings: AgentSettings
    private let isReadOnly: Bool

    /// Creates an adapter that presents `methods`. `salons` are made when they are first needed. If `isReadOnly` is true, agents see only tools
    /// that change nothing.
    package init(
        salons: @escaping @autoclosure @Sendable () -> LoadedSalons,
        methods: [Method],
        version: String,
        settings: AgentSettings,
        isReadOnly: Bool
    ) {
        makeSalons = salons
        self.methods = methods
        self.version = version
        self.settings = settings
        self.isReadOnly = isReadOnly
    }

    package func makeServer(subscriptions: ResourceSubscriptions) -> MCPServer {
        let tools = methods.map(tool)
        return MCPServer(
            serverInfo: Implementation(
                name: "novablend",
                title: "NovaBlend",
                version: version,
                icon: Icon.dataURI
            ),
            instructions: instructions,
            tools: tools,
            resources: [appointments] + Method.App.allCases.map(\.resource),
            templates: [salon, Self.resultSchema(of: tools)],
            prompts: prompts,
            subscriptions: subscriptions,
            consent: Consent(
                settings.consent,
                timeout: settings.questionTimeout,
                makeError: Self.error
            ),
            listsResultSchemas: settings.listsResultSchemas,
            makeIdempotencyKey: { Identifier.random().description },
            lspInitializeResult: ServerInfo(name: "novablend", version: version)
                .lspInitializeResult(methods: methods.map(\.name))
        )
    }

    private func tool(of method: Method) -> Tool {
        guard settings.tools.contains(method) else { return Tool(excluded: method) }
        return Tool(annotated: method, isListed: mayRun(method))
    }

    private func mayRun(_ method: Method) -> Bool { !isReadOnly || method.effect == .reads }

    /// The error of a call without consent.
    @Sendable private static func error(_ failure: ConsentFailure) -> RPCError {
        let advice =
            switch failure {
            case .declined, .dismissed:
                "do not repeat the call unless the user asks for it. The person who configured this server "
                    + "decides with --confirm which calls need consent"
            case .refusedAtOnce, .invalidAnswer, .timedOut, .failed, .unsupported:
                "if this client cannot ask its user, the person who configured this server can start it with "
                    + "--confirm destructive or --confirm never"
            }
        return ProgramError.declined.error("Nothing was done: \(failure)", advice: advice)
    }

    /// What a model should know before it uses the tools that it gets.
    private var instructions: String {
        var text = """
            The "provenance" of a list is its source. When offline, lists come from a cache, and nothing \
            can be booked. A failed tool returns its error as JSON text.
            """
        if serves(AppointmentMethods.book) {
            text += """
                 To book, find the salon with \(Self.tool(SalonMethods.list)) and a free time with \
                \(Self.tool(SlotMethods.availability)), then call \(Self.tool(AppointmentMethods.book)). \
                If a salon has services or staff, \(Self.tool(ServiceMethods.services)) and \
                \(Self.tool(ServiceMethods.staff)) have their ids. \(Self.tool(AppointmentMethods.hold)) \
                reserves a time while the user decides. \(Self.tool(AppointmentMethods.reschedule)) and \
                \(Self.tool(AppointmentMethods.cancel)) take the id and the version from \
                \(Self.tool(AppointmentMethods.list)). After the error bookingInDoubt, call \
                \(Self.tool(AppointmentMethods.resolve)); do not book again with a different key.
                """
        }
        if serves(SalonChangeMethods.put) {
            text += """
                 If the server allows it, \(Self.tool(SalonChangeMethods.put)) and \
                \(Self.tool(SalonChangeMethods.delete)) change salons; try them with dryRun first.
                """
        }
        return text
    }

    /// Whether agents get the tool of this method, and can use it.
    private func serves(_ name: MethodName<some Reply>) -> Bool {
        method(name).map { settings.tools.contains($0) && mayRun($0) } == true
    }

    private var appointments: Resource {
        Resource(
            Self.uri(of: AppointmentListCodec.name),
            name: AppointmentListCodec.name,
            title: "Appointments",
            description: "The booked appointments, as in \(Self.tool(AppointmentMethods.list)).",
            data: method(AppointmentMethods.list)?.data,
            read: { call throws(RPCError) in
                .json(try await self.call(AppointmentMethods.list, call))
            }
        )
    }

    private var salon: ResourceTemplate {
        ResourceTemplate(
            prefix: Self.uri(of: "salons/"),
            variable: "id",
            name: "salon",
            title: "A salon",
            description: "One salon by its id, as in \(Self.tool(SalonMethods.get)).",
            advice: "\(Self.tool(SalonMethods.list)) lists the salons and their ids",
            data: method(SalonMethods.get)?.data,
            read: { id, call throws(RPCError) in
                let params = Params().setting("id", to: JSONFragment { $0.string(id) })
                do throws(RPCError) {
                    return .json(
                        try await self.call(SalonMethods.get, call.with(params))
                    )
                } catch {
                    // A text that names no salon, or several, is not the id of one.
                    let notFound = [
                        ProgramError.salonNotFound.code, RPCError.invalidParams("").code,
                    ]
                    if notFound.contains(error.code) { return nil }
                    throw error
                }
            },
            complete: { [makeSalons] in await makeSalons().ids(completing: $0) }
        )
    }

    /// The list of tools does not contain these schemas, because most models never need them.
    private static func resultSchema(of tools: [Tool]) -> ResourceTemplate {
        let listed = tools.filter(\.isListed)
        return ResourceTemplate(
            prefix: uri(of: "schemas/"),
            variable: "tool",
            name: "schema",
            title: "The schema of results",
            description: "The JSON Schema of the results of a tool.",
            advice: "use the name of a tool",
            mimeType: "application/schema+json",
            data: DataAccess.none,
            read: { name, _ in
                listed.first { $0.name == name }.map { .json($0.resultSchema(naming: tools)) }
            },
            complete: { prefix in listed.map(\.name).filter { $0.hasPrefix(prefix) } }
        )
    }

    private static func tool(_ method: MethodName<some Reply>) -> String {
        Tool.name(ofMethod: method.name)
    }

    private func method(_ name: MethodName<some Reply>) -> Method? {
        methods.first { $0.name == name.name }
    }

    private func call(
        _ name: MethodName<some Reply>,
        _ call: Call
    ) async throws(RPCError) -> JSONFragment {
        guard let method = method(name) else { throw .methodNotFound(name.name) }
        return try await method.handler(call)
    }
}

extension MCPAdapter {
    private var prompts: [Prompt] {
        guard serves(SalonMethods.list) else { return [] }
        return serves(AppointmentMethods.book) ? [bookAppointment, findSalon] : [findSalon]
    }

    private var bookAppointment: Prompt {
        Prompt(
            "book_appointment",
            title: "Book an appointment",
            description: "Finds a free time at a salon and books it.",
            arguments: [
                .init("salon", "the salon's name", isRequired: true, complete: salonNames),
                .init("when", "the preferred day or time"),
            ],
            text: { arguments in
                let when = arguments["when"].map { " for \($0)" } ?? ""
                return """
                    Book an appointment at the salon "\(arguments["salon"] ?? "")"\(when). Look it up \
                    with \(Self.tool(SalonMethods.list)) first. If it is closed then, or the slot \
                    is taken, offer me the nearest alternatives. Ask me for the phone number if I \
                    have not given it.
                    """
            }
        )
    }

    private var findSalon: Prompt {
        Prompt(
            "find_salon",
            title: "Find a salon",
            description: "Finds salons by place or name that are open at a time.",
            arguments: [
                .init("where", "a place or part of a name", isRequired: true),
                .init("when", "a time at which it should be open"),
            ],
            text: { arguments in
                let when = arguments["when"].map { " that are open at \($0)" } ?? ""
                return """
                    Find salons near "\(arguments["where"] ?? "")"\(when) with \
                    \(Self.tool(SalonMethods.list)), and show me their names, locations, and opening hours.
                    """
            }
        )
    }

    private var salonNames: @Sendable (String) async -> [String] {
        { [makeSalons] in await makeSalons().names(completing: $0) }
    }
}
