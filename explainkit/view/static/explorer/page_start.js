// In a page of its own the explorer starts itself, on the JSON that stands beside it.
mount(document.querySelector("main"), (say) => pageHost(JSON.parse(document.querySelector('script[type="application/json"]').textContent), say));
