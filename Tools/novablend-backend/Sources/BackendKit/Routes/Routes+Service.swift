import BookingStorage
import Contract
import HTTPServing
import JSON
import Synchronization

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

extension Routes {
    static let health = [
        Route(
            method: "GET",
            path: PathTemplate("/health/live"),
            name: "getLiveness",
            summary: "Reports that the process answers requests. Does not use the database.",
            successes: [.entity(.object(healthSchema), "The process answers requests.")],
            access: .public,
            isAlwaysServed: true,
            handler: { _, _ in healthy }
        ),
        readiness(path: Backend.readinessPath, name: "getReadiness"),
        readiness(path: "/health", name: "getHealth"),
    ]

    private static func readiness(path: String, name: String) -> Route {
        Route(
            method: "GET",
            path: PathTemplate(path),
            name: name,
            summary:
                "Reports whether new requests should be sent to the backend: it is not about to "
                + "stop, and the database can be read and changed.",
            successes: [.entity(.object(StoreWatch.schema), "The backend is ready.")],
            problems: [.storage],
            access: .public,
            isAlwaysServed: true,
            handler: { routes, _ in
                if routes.isStopping.load(ordering: .relaxed) {
                    throw Problem(.stopping, "the backend is stopping")
                }
                try await routes.healthCheck.run()
                return ServerResponse(json: StoreWatch.body(for: await routes.store.status()))
            }
        )
    }

    private static let healthy = ServerResponse(json: Array(#"{"status":"ok"}"#.utf8))
    private static let healthSchema = ObjectSchema([.init("status", .string(in: ["ok"]))])
}
