import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The method that returns an image from the cache or the server, and caches it.
struct ImageMethod: Sendable {
    let list: ListDescription
    /// Whether the cached list contains the URL. No other URL is requested: otherwise a caller could
    /// reach any server that this machine can reach.
    let isListed: @Sendable (ImageURL) -> Bool

    var method: Method {
        var method = Method(
            MethodName("\(list.name)/image"),
            "Returns an image as base64, or writes it to a file. Images are cached.",
            title: "Load an image of the \(list.name)",
            parameters: parameters,
            result: .init("image", "the image, or the path of the file", schema: Self.result),
            effect: .changes(destroys: true, isIdempotent: true),
            data: DataAccess(reads: [list.name, "images"], changes: ["files"]),
            errors: [],
            example: #"{"url": "https://salons.example/images/copper.png"}"#,
            exampleFollows: [list.listMethod],
            confirmation: { params in
                _ = try url(of: params)
                return try FileOutput.confirmation(
                    before: params,
                    protecting: list.dependencies.ownFiles
                )
            },
            toolSet: ToolSet(name: list.name)
        ) { call in
            let url = try url(of: call.params)
            let file = try FileOutput(call.params, protecting: list.dependencies.ownFiles)
            let loaded = try await LoadReply.load(
                list.dependencies.makeLoader(of: url, in: list.name),
                call,
                default: .cacheFirst
            )
            try file.write(loaded.value.bytes)
            return Self.reply(url, loaded, file)
        }
        method.declaration.image = .init(data: "data", mediaType: "mediaType")
        method.determineEffect = FileOutput.effect
        return method
    }

    private var parameters: [Method.Parameter] {
        let source = "the image's URL, from \(list.listMethod)"
        return [.init("url", source, isRequired: true)]
            + FileOutput.parameters + [LoadReply.policy(default: .cacheFirst)]
    }

    private static let result = ObjectSchema(
        [
            .init("url", .string),
            .init("mediaType", .string(in: ImageFormat.allCases.map(\.mediaType))),
            .init("size", .integer, "in bytes"),
            .optional(
                "data",
                .string,
                "base64; absent with file, or if the result has image content"
            ),
        ] + FileOutput.properties + [Schemas.provenance]
    ).named("Image")

    private func url(of params: Params) throws(RPCError) -> ImageURL {
        guard let url = try params.read("url", ImageURLCodec.read), url.isWeb else {
            throw .invalidParams("\"url\" must be an http or https URL", parameter: "url")
        }
        if isListed(url) { return url }
        guard list.dependencies.isConfigured(list.name) else { throw .notConfigured }
        throw .invalidParams(
            "\"url\" is not in the cached \(list.name); call \(list.listMethod) first, and pass a URL "
                + "from it",
            parameter: "url"
        )
    }

    private static func reply(
        _ url: ImageURL,
        _ loaded: Loaded<ImageData>,
        _ file: FileOutput
    ) -> ObjectFragment {
        file.reply(
            { writer in
                writer.member("url", url.description)
                writer.member("mediaType", loaded.value.format.mediaType)
                writer.member("size", loaded.value.bytes.count)
            },
            content: { writer in
                writer.key("data")
                // Base64 needs no escapes.
                let quote = [UInt8(ascii: "\"")]
                writer.raw(quote + Base64.encode(loaded.value.bytes) + quote)
            },
            loaded.provenance
        )
    }
}
