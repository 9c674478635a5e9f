import NovaBlendKit

let endpoints = Configuration.Endpoints(base: "https://salons.example")
precondition(endpoints.salons == "https://salons.example/salons")
