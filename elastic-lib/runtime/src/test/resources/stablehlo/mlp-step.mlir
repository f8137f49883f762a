module @jit {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<6x4xf32>, %arg5: tensor<6xi32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8x3xf32>, tensor<3xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<6x8xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %5 = stablehlo.compare GT, %2, %4, FLOAT : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %6 = stablehlo.select %5, %2, %4 : tensor<6x8xi1>, tensor<6x8xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<6x3xf32>
    %9 = stablehlo.add %7, %8 : tensor<6x3xf32>
    %10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%9 init: %10) applies stablehlo.maximum across dimensions = [1] : (tensor<6x3xf32>, tensor<f32>) -> tensor<6xf32>
    %12 = stablehlo.reshape %11 : (tensor<6xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x3xf32>
    %14 = stablehlo.subtract %9, %13 : tensor<6x3xf32>
    %15 = stablehlo.exponential %14 : tensor<6x3xf32>
    %16 = stablehlo.reduce(%15 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<6x3xf32>, tensor<f32>) -> tensor<6xf32>
    %17 = stablehlo.reshape %16 : (tensor<6xf32>) -> tensor<6x1xf32>
    %18 = stablehlo.log %17 : tensor<6x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x3xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<6x3xf32>
    %21 = stablehlo.reshape %arg5 : (tensor<6xi32>) -> tensor<6x1xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x3xi32>
    %23 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<3xi32>) -> tensor<6x3xi32>
    %25 = stablehlo.compare EQ, %22, %24, SIGNED : (tensor<6x3xi32>, tensor<6x3xi32>) -> tensor<6x3xi1>
    %26 = stablehlo.convert %25 : (tensor<6x3xi1>) -> tensor<6x3xf32>
    %27 = stablehlo.multiply %20, %26 : tensor<6x3xf32>
    %28 = stablehlo.reduce(%27 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<6x3xf32>, tensor<f32>) -> tensor<6xf32>
    %29 = stablehlo.reduce(%28 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %30 = stablehlo.constant dense<6.0> : tensor<f32>
    %31 = stablehlo.divide %29, %30 : tensor<f32>
    %32 = stablehlo.negate %31 : tensor<f32>
    %33 = stablehlo.constant dense<1.0> : tensor<f32>
    %34 = stablehlo.negate %33 : tensor<f32>
    %35 = stablehlo.divide %34, %30 : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<6xf32>) -> tensor<6x3xf32>
    %38 = stablehlo.multiply %37, %26 : tensor<6x3xf32>
    %39 = stablehlo.negate %38 : tensor<6x3xf32>
    %40 = stablehlo.reduce(%39 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<6x3xf32>, tensor<f32>) -> tensor<6xf32>
    %41 = stablehlo.reshape %40 : (tensor<6xf32>) -> tensor<6x1xf32>
    %42 = stablehlo.divide %41, %17 : tensor<6x1xf32>
    %43 = stablehlo.reshape %42 : (tensor<6x1xf32>) -> tensor<6xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<6xf32>) -> tensor<6x3xf32>
    %45 = stablehlo.multiply %44, %15 : tensor<6x3xf32>
    %46 = stablehlo.add %38, %45 : tensor<6x3xf32>
    %47 = stablehlo.reduce(%46 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<6x3xf32>, tensor<f32>) -> tensor<3xf32>
    %48 = stablehlo.dot_general %46, %arg2, contracting_dims = [1] x [1] : (tensor<6x3xf32>, tensor<8x3xf32>) -> tensor<6x8xf32>
    %49 = stablehlo.dot_general %6, %46, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<8x3xf32>
    %50 = stablehlo.select %5, %48, %4 : tensor<6x8xi1>, tensor<6x8xf32>
    %51 = stablehlo.reduce(%50 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.dot_general %arg4, %50, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %53 = stablehlo.constant dense<0.1> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %55 = stablehlo.multiply %52, %54 : tensor<4x8xf32>
    %56 = stablehlo.subtract %arg0, %55 : tensor<4x8xf32>
    %57 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %58 = stablehlo.multiply %51, %57 : tensor<8xf32>
    %59 = stablehlo.subtract %arg1, %58 : tensor<8xf32>
    %60 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %61 = stablehlo.multiply %49, %60 : tensor<8x3xf32>
    %62 = stablehlo.subtract %arg2, %61 : tensor<8x3xf32>
    %63 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %64 = stablehlo.multiply %47, %63 : tensor<3xf32>
    %65 = stablehlo.subtract %arg3, %64 : tensor<3xf32>
    return %56, %59, %62, %65, %32 : tensor<4x8xf32>, tensor<8xf32>, tensor<8x3xf32>, tensor<3xf32>, tensor<f32>
  }
}
