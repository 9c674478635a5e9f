import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import NovaBlendTextSearch
import SystemSupport

/// The method that lists a resource. This program or the server divides the list into pages.
///
/// Each call makes its own value. Types of long-lived values do not include the codec: instantiating
/// such types for three lists took a sixth of the program's startup time.
struct ListMethod<Codec: ListCodec>: Sendable
where
    Codec.Element.Model: Identifiable,
    Codec.Element.Model.ID: LosslessStringConvertible & Sendable
{
    typealias Element = Codec.Element.Model

    typealias Text = @Sendable (Element) -> [String?]

    private let list: LoadedList<Codec>
    private let schema: LazyValue<ObjectSchema>
    private let text: Text

    private init(_ description: ListDescription, _ text: @escaping Text) {
        list = LoadedList(description.list, description.dependencies)
        schema = description.schema
        self.text = text
    }

    /// Loads the whole list, and returns a page of it.
    static func whole(_ description: ListDescription, _ text: @escaping Text) -> Method {
        method(
            description,
            [
                .init("query", "words to find; ignores case, accents, and spaces"),
                CursorPage.limit, Cursor.parameter,
            ],
            Schemas.page
        ) { call in try await Self(description, text).whole(call) }
    }

    private func whole(_ call: Call) async throws -> ObjectFragment {
        let query = try call.params.string("query").map { TextQuery($0) }
        let paging = try CursorPage(call)
        let fields = try FieldSelection(call, of: schema.value)
        let loaded = try await LoadReply.load(list.whole, call)
        let page = try paging.page(
            of: query.map { query in loaded.value.filter { query.isFound(in: text($0)) } }
                ?? loaded.value,
            id: { "\($0.id)" }
        )
        return reply(Array(page.elements), loaded.provenance, fields) { writer in
            writer.member("total", page.total)
            writer.member("nextCursor", page.nextCursor)
        }
    }

    /// Requests a page from the server.
    static func paged(_ description: ListDescription, _ text: @escaping Text) -> Method {
        method(
            description,
            [CursorPage.limit, .init("afterId", "nextAfterId of the previous page")],
            [
                .optional("nextAfterId", .string, "the next page's afterId; absent at the end")
            ]
        ) { call in try await Self(description, text).paged(call) }
    }

    private func paged(_ call: Call) async throws -> ObjectFragment {
        let page = try self.page(call)
        let fields = try FieldSelection(call, of: schema.value)
        let loaded = try await LoadReply.load(list.loader(of: page), call)
        let isEnd = page.isLast(loaded.value) && loaded.provenance.isComplete
        let last = isEnd ? nil : loaded.value.last
        return reply(loaded.value, loaded.provenance, fields) { writer in
            writer.member("nextAfterId", last.map { "\($0.id)" })
        }
    }

    private func page(_ call: Call) throws(RPCError) -> Page<Element> {
        let text = try call.params.string("afterId")
        let after = text.flatMap { Element.ID($0) }
        if text != nil, after == nil {
            throw .invalidParams(
                "\"afterId\" must be the nextAfterId of an earlier page",
                parameter: "afterId"
            )
        }
        return Page(after: after, limit: try CursorPage.limit(of: call))
    }

    private static func method(
        _ description: ListDescription,
        _ parameters: @escaping @autoclosure @Sendable () -> [Method.Parameter],
        _ more: @escaping @autoclosure @Sendable () -> [ObjectSchema.Property],
        handler: @escaping @Sendable (Call) async throws -> ObjectFragment
    ) -> Method {
        let schema = description.schema
        return Method(
            MethodName(description.listMethod),
            "Lists the elements of \(description.name) from the server, or from the cache when offline.",
            title: description.title,
            parameters: parameters() + [
                FieldSelection.parameter(of: schema.value), LoadReply.policy,
            ],
            result: .init(
                "\(Codec.key)",
                "the elements and their provenance",
                [
                    .init(
                        "\(Codec.key)",
                        FieldSelection.array(
                            of: schema.value,
                            selectedAs: "Selected\(schema.value.name ?? Codec.key.description)"
                        )
                    )
                ] + more() + [Schemas.provenance]
            ),
            data: DataAccess(reads: [description.name]),
            errors: [],
            example: #"{"limit": 2}"#,
            toolSet: ToolSet(name: description.name),
            handler: handler
        )
    }

    private func reply(
        _ elements: [Element],
        _ provenance: Provenance,
        _ fields: FieldSelection,
        _ more: (inout JSONWriter) -> Void
    ) -> ObjectFragment {
        ObjectFragment { writer in
            writer.key(Codec.key)
            writer.array { writer in
                for element in elements {
                    fields.write(to: &writer) { Codec.Element.write(element, to: &$0) }
                }
            }
            more(&writer)
            LoadReply.write(provenance, to: &writer)
        }
    }
}

/// A list, without the type of its elements.
struct ListDescription: Sendable {
    let list: ListDeclaration
    let title: String
    let schema: LazyValue<ObjectSchema>
    let dependencies: ListDependencies

    var name: String { list.name }

    /// The name of the method that lists the elements.
    var listMethod: String { "\(name)/list" }
}
