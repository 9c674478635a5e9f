import BookingStorage
import HTTPServing
import JSON

extension Routes {
    static let images = [
        Route(
            method: "GET",
            path: PathTemplate("/images/{file}"),
            name: "getImage",
            summary: "Returns an image that a list refers to.",
            parameters: [
                .init("file", in: .path, .string(in: SampleImages.names), "The file name.")
            ],
            successes: [
                .init(status: 200, summary: "The image.", content: .png, headers: [.entityTag])
            ],
            problems: [.notFound],
            caching: .revalidated,
            access: .public,
            handler: { _, call in
                guard let png = SampleImages.png(named: call.pathValue) else {
                    throw Problem(.notFound, "there is no image \(call.pathValue)")
                }
                let fields: HeaderFields = ["Content-Type": "image/png"]
                return ServerResponse(status: 200, headers: fields, body: png)
            }
        )
    ]

    static let service = [
        Route(
            method: "GET",
            path: PathTemplate("/openapi.json"),
            name: "getDescription",
            summary: "Describes this API (OpenAPI 3.1).",
            successes: [.entity(.object(ObjectSchema()), "The description.")],
            caching: .revalidated,
            access: .public,
            handler: { ServerResponse(json: $0.document.bytes(baseURL: $1.request.baseURL)) }
        )
    ]
}
