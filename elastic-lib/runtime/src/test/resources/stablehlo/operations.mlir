module @operations attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<4xi32>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x6x5x3xf32>, %arg4: tensor<3x2x3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<3xi1>, tensor<4xf32>, tensor<f32>, tensor<3xi1>, tensor<4xf64>, tensor<f64>, tensor<3xi1>, tensor<4xi32>, tensor<i32>, tensor<3xi1>, tensor<4xi64>, tensor<i64>, tensor<3xi1>, tensor<4xi1>, tensor<3xi1>, tensor<4xbf16>, tensor<bf16>, tensor<3xi1>, tensor<4xf16>, tensor<f16>, tensor<3xi1>, tensor<4xi8>, tensor<i8>, tensor<3xi1>, tensor<4xi16>, tensor<i16>, tensor<3xi1>, tensor<4xui8>, tensor<ui8>, tensor<3xi1>, tensor<4xui16>, tensor<ui16>, tensor<3xi1>, tensor<4xui32>, tensor<ui32>, tensor<3xi1>, tensor<4xui64>, tensor<ui64>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<2x3xi16>, tensor<2x3xui8>, tensor<2x3xui8>, tensor<2x3xui16>, tensor<2x3xui16>, tensor<2x3xui32>, tensor<2x3xui32>, tensor<2x3xui64>, tensor<2x3xui64>, tensor<100xf32>, tensor<2x2xf32>, tensor<2xi1>, tensor<2xf64>, tensor<70xi32>, tensor<0x3xf32>, tensor<3x3xf32>, tensor<6x5xf32>, tensor<2x3x5xf32>, tensor<2xi32>, tensor<i32>, tensor<2x5x5xf32>, tensor<2x2xf32>, tensor<2x3x2x3xf32>, tensor<2x2x9x4xf32>, tensor<2x1xf32>, tensor<5x4xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<1x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = stablehlo.compare GT, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1 = stablehlo.negate %arg0 : tensor<2x3xf32>
    %2 = stablehlo.abs %arg0 : tensor<2x3xf32>
    %3 = stablehlo.sign %arg0 : tensor<2x3xf32>
    %4 = stablehlo.exponential %arg0 : tensor<2x3xf32>
    %5 = stablehlo.exponential_minus_one %arg0 : tensor<2x3xf32>
    %6 = stablehlo.log %arg0 : tensor<2x3xf32>
    %7 = stablehlo.log_plus_one %arg0 : tensor<2x3xf32>
    %8 = stablehlo.sqrt %arg0 : tensor<2x3xf32>
    %9 = stablehlo.rsqrt %arg0 : tensor<2x3xf32>
    %10 = stablehlo.tanh %arg0 : tensor<2x3xf32>
    %11 = stablehlo.logistic %arg0 : tensor<2x3xf32>
    %12 = stablehlo.sine %arg0 : tensor<2x3xf32>
    %13 = stablehlo.cosine %arg0 : tensor<2x3xf32>
    %14 = stablehlo.floor %arg0 : tensor<2x3xf32>
    %15 = stablehlo.ceil %arg0 : tensor<2x3xf32>
    %16 = stablehlo.round_nearest_even %arg0 : tensor<2x3xf32>
    %17 = stablehlo.cbrt %arg0 : tensor<2x3xf32>
    %18 = chlo.erf %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %19 = stablehlo.not %0 : tensor<2x3xi1>
    %20 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>
    %21 = stablehlo.subtract %arg0, %arg0 : tensor<2x3xf32>
    %22 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf32>
    %23 = stablehlo.divide %arg0, %arg0 : tensor<2x3xf32>
    %24 = stablehlo.maximum %arg0, %arg0 : tensor<2x3xf32>
    %25 = stablehlo.minimum %arg0, %arg0 : tensor<2x3xf32>
    %26 = stablehlo.power %arg0, %arg0 : tensor<2x3xf32>
    %27 = stablehlo.remainder %arg0, %arg0 : tensor<2x3xf32>
    %28 = stablehlo.atan2 %arg0, %arg0 : tensor<2x3xf32>
    %29 = stablehlo.and %0, %0 : tensor<2x3xi1>
    %30 = stablehlo.or %0, %0 : tensor<2x3xi1>
    %31 = stablehlo.xor %0, %0 : tensor<2x3xi1>
    %32 = stablehlo.shift_left %arg1, %arg1 : tensor<4xi32>
    %33 = stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<4xi32>
    %34 = stablehlo.shift_right_logical %arg1, %arg1 : tensor<4xi32>
    %35 = stablehlo.compare EQ, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %36 = stablehlo.compare EQ, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %37 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %38 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %39 = stablehlo.compare LT, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %40 = stablehlo.compare LT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %41 = stablehlo.compare LE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %42 = stablehlo.compare LE, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %43 = stablehlo.compare GT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %44 = stablehlo.compare GE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %45 = stablehlo.compare GE, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %46 = stablehlo.constant dense<[0.1, 0x7FC00000, 0.0]> : tensor<3xf32>
    %47 = stablehlo.compare LT, %46, %46, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %48 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf32>
    %49 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %50 = stablehlo.reduce(%46 init: %49) applies stablehlo.minimum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %51 = stablehlo.constant dense<[0.1, 0x7FF8000000000000, 0.0]> : tensor<3xf64>
    %52 = stablehlo.compare LT, %51, %51, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %53 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf64>
    %54 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %55 = stablehlo.reduce(%51 init: %54) applies stablehlo.minimum across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %56 = stablehlo.constant dense<[-2147483648, 2147483647, 0]> : tensor<3xi32>
    %57 = stablehlo.compare LT, %56, %56, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %58 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi32>
    %59 = stablehlo.constant dense<2147483647> : tensor<i32>
    %60 = stablehlo.reduce(%56 init: %59) applies stablehlo.minimum across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %61 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0]> : tensor<3xi64>
    %62 = stablehlo.compare LT, %61, %61, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %63 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi64>
    %64 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
    %65 = stablehlo.reduce(%61 init: %64) applies stablehlo.minimum across dimensions = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
    %66 = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
    %67 = stablehlo.compare LT, %66, %66, UNSIGNED : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    %68 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi1>
    %69 = stablehlo.constant dense<[0.100097656, 0x7FC0, 0.0]> : tensor<3xbf16>
    %70 = stablehlo.compare LT, %69, %69, FLOAT : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
    %71 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xbf16>
    %72 = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %73 = stablehlo.reduce(%69 init: %72) applies stablehlo.minimum across dimensions = [0] : (tensor<3xbf16>, tensor<bf16>) -> tensor<bf16>
    %74 = stablehlo.constant dense<[0.099975586, 0x7E00, 0.0]> : tensor<3xf16>
    %75 = stablehlo.compare LT, %74, %74, FLOAT : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xi1>
    %76 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf16>
    %77 = stablehlo.constant dense<0x7C00> : tensor<f16>
    %78 = stablehlo.reduce(%74 init: %77) applies stablehlo.minimum across dimensions = [0] : (tensor<3xf16>, tensor<f16>) -> tensor<f16>
    %79 = stablehlo.constant dense<[-128, 127, 0]> : tensor<3xi8>
    %80 = stablehlo.compare LT, %79, %79, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
    %81 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi8>
    %82 = stablehlo.constant dense<127> : tensor<i8>
    %83 = stablehlo.reduce(%79 init: %82) applies stablehlo.minimum across dimensions = [0] : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
    %84 = stablehlo.constant dense<[-32768, 32767, 0]> : tensor<3xi16>
    %85 = stablehlo.compare LT, %84, %84, SIGNED : (tensor<3xi16>, tensor<3xi16>) -> tensor<3xi1>
    %86 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi16>
    %87 = stablehlo.constant dense<32767> : tensor<i16>
    %88 = stablehlo.reduce(%84 init: %87) applies stablehlo.minimum across dimensions = [0] : (tensor<3xi16>, tensor<i16>) -> tensor<i16>
    %89 = stablehlo.constant dense<[0, 255, 0]> : tensor<3xui8>
    %90 = stablehlo.compare LT, %89, %89, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
    %91 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xui8>
    %92 = stablehlo.constant dense<255> : tensor<ui8>
    %93 = stablehlo.reduce(%89 init: %92) applies stablehlo.minimum across dimensions = [0] : (tensor<3xui8>, tensor<ui8>) -> tensor<ui8>
    %94 = stablehlo.constant dense<[0, 65535, 0]> : tensor<3xui16>
    %95 = stablehlo.compare LT, %94, %94, UNSIGNED : (tensor<3xui16>, tensor<3xui16>) -> tensor<3xi1>
    %96 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xui16>
    %97 = stablehlo.constant dense<65535> : tensor<ui16>
    %98 = stablehlo.reduce(%94 init: %97) applies stablehlo.minimum across dimensions = [0] : (tensor<3xui16>, tensor<ui16>) -> tensor<ui16>
    %99 = stablehlo.constant dense<[0, 4294967295, 0]> : tensor<3xui32>
    %100 = stablehlo.compare LT, %99, %99, UNSIGNED : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xi1>
    %101 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xui32>
    %102 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %103 = stablehlo.reduce(%99 init: %102) applies stablehlo.minimum across dimensions = [0] : (tensor<3xui32>, tensor<ui32>) -> tensor<ui32>
    %104 = stablehlo.constant dense<0> : tensor<3xui64>
    %105 = stablehlo.compare LT, %104, %104, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
    %106 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xui64>
    %107 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %108 = stablehlo.reduce(%104 init: %107) applies stablehlo.minimum across dimensions = [0] : (tensor<3xui64>, tensor<ui64>) -> tensor<ui64>
    %109 = stablehlo.constant dense<0.0> : tensor<f32>
    %110 = stablehlo.reduce(%arg0 init: %109) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %111 = stablehlo.constant dense<0.0> : tensor<f64>
    %112 = stablehlo.reduce(%arg2 init: %111) applies stablehlo.add across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %113 = stablehlo.constant dense<0> : tensor<i32>
    %114 = stablehlo.reduce(%arg1 init: %113) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %115 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %116 = stablehlo.reduce(%arg0 init: %115) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %117 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %118 = stablehlo.reduce(%arg2 init: %117) applies stablehlo.maximum across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %119 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %120 = stablehlo.reduce(%arg1 init: %119) applies stablehlo.maximum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %121 = stablehlo.reduce(%arg0 init: %49) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %122 = stablehlo.reduce(%arg2 init: %54) applies stablehlo.minimum across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %123 = stablehlo.reduce(%arg1 init: %59) applies stablehlo.minimum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %124 = stablehlo.constant dense<1.0> : tensor<f32>
    %125 = stablehlo.reduce(%arg0 init: %124) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %126 = stablehlo.constant dense<1.0> : tensor<f64>
    %127 = stablehlo.reduce(%arg2 init: %126) applies stablehlo.multiply across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %128 = stablehlo.constant dense<1> : tensor<i32>
    %129 = stablehlo.reduce(%arg1 init: %128) applies stablehlo.multiply across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %130 = stablehlo.compare EQ, %0, %0, UNSIGNED : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %131 = stablehlo.select %0, %arg0, %arg0 : tensor<2x3xi1>, tensor<2x3xf32>
    %132 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %133 = stablehlo.iota dim = 1 : tensor<2x3xf32>
    %134 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf64>
    %135 = stablehlo.iota dim = 1 : tensor<2x3xf64>
    %136 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %137 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %138 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi64>
    %139 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    %140 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %141 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %142 = stablehlo.iota dim = 1 : tensor<2x3xbf16>
    %143 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf16>
    %144 = stablehlo.iota dim = 1 : tensor<2x3xf16>
    %145 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi8>
    %146 = stablehlo.iota dim = 1 : tensor<2x3xi8>
    %147 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi16>
    %148 = stablehlo.iota dim = 1 : tensor<2x3xi16>
    %149 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xui8>
    %150 = stablehlo.iota dim = 1 : tensor<2x3xui8>
    %151 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xui16>
    %152 = stablehlo.iota dim = 1 : tensor<2x3xui16>
    %153 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xui32>
    %154 = stablehlo.iota dim = 1 : tensor<2x3xui32>
    %155 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xui64>
    %156 = stablehlo.iota dim = 1 : tensor<2x3xui64>
    %157 = stablehlo.constant dense<"0xCD8257BE48059A3E453BE53DD635533F71A3ECBEAA68F13ECC9704BF4937D23F8862EABECA97E5BD5B28363EA3326F3E678B39BEE6B288BF74D654BF8B6EEBBE320D0FBE14634ABF64BB87BE05FD0CBF5D4D68BFE3FB803F512F01BE7DCD48BF46B91E3FD220B13E18D6D0BF5E96ECBEA7F026BE6C85B53ECE8C9B3E77FC89BF6AF9E8BF0F37DF3E0EFFC4BF83B2A6BFA2927B3FA47CA1BFF78024BEE39855BF1FB4B93D9FD83FBFD3EA0A3D6FF90ABFB4AEB73EAE2EB63E4442B5BD716D1F3E2B5C8BBF709ED7BF60BACA3D827D57BE063A6FBFE7E14BBF8C84273FCF2B5BBF79CA823FF596073F2E49C03EBCA131BF190FC7BEB33E77BECE0B8FC0AAB117BED7D513BF508CA9BE4F380B403737A63F52CC1D3EF08974BFBE5C903F2A9501C092B1483F5A37B13F2C61103FEDB4AC3F216DF23E0030B4BE5E4463BE29B68ABF34689FBED9CA0C4057FB10BFAA756EBF0BC0CABF051BA3BD0FAFD8BE71621D3FB44042BE2ECA4D408D47293F056197BF40E9F53E54E5BC3F9C541A3F4C665DBFDD558ABE28B0913FF8BE623FD02255BE"> : tensor<100xf32>
    %158 = stablehlo.constant dense<[[1.0, -2.5], [1.0E-10, 0x7FC00000]]> : tensor<2x2xf32>
    %159 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %160 = stablehlo.constant dense<[1.5, 0xFFF0000000000000]> : tensor<2xf64>
    %161 = stablehlo.constant dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000160000001700000018000000190000001A0000001B0000001C0000001D0000001E0000001F000000200000002100000022000000230000002400000025000000260000002700000028000000290000002A0000002B0000002C0000002D0000002E0000002F000000300000003100000032000000330000003400000035000000360000003700000038000000390000003A0000003B0000003C0000003D0000003E0000003F000000400000004100000042000000430000004400000045000000"> : tensor<70xi32>
    %162 = stablehlo.constant dense<> : tensor<0x3xf32>
    %163 = stablehlo.constant dense<1.0> : tensor<3x3xf32>
    %164 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
    %165 = stablehlo.reshape %164 : (tensor<3x5x2xf32>) -> tensor<6x5xf32>
    %166 = stablehlo.transpose %164, dims = [2, 0, 1] : (tensor<3x5x2xf32>) -> tensor<2x3x5xf32>
    %167 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %168:2 = stablehlo.reduce(%arg0 init: %115), (%167 init: %113) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %left = stablehlo.or %gt, %nan : tensor<i1>
      %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %eq, %lt : tensor<i1>
      %first = stablehlo.or %left, %tie : tensor<i1>
      %v = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f32>
      %k = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %v, %k : tensor<f32>, tensor<i32>
    }
    %169 = stablehlo.iota dim = 0 : tensor<4xi32>
    %170:2 = stablehlo.reduce(%arg1 init: %119), (%169 init: %113) across dimensions = [0] : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
     reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %gt = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %left = stablehlo.or %gt, %nan : tensor<i1>
      %eq = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %eq, %lt : tensor<i1>
      %first = stablehlo.or %left, %tie : tensor<i1>
      %v = stablehlo.select %left, %a, %b : tensor<i1>, tensor<i32>
      %k = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %v, %k : tensor<i32>, tensor<i32>
    }
    %171 = stablehlo.transpose %164, dims = [2, 1, 0] : (tensor<3x5x2xf32>) -> tensor<2x5x3xf32>
    %172 = stablehlo.dot_general %171, %164, batching_dims = [0] x [2], contracting_dims = [2] x [0] : (tensor<2x5x3xf32>, tensor<3x5x2xf32>) -> tensor<2x5x5xf32>
    %173 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %174 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2x3xf32>
    %175 = stablehlo.convolution(%arg3, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [-1, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x5x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x2x9x4xf32>
    %176 = stablehlo.slice %arg0 [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %177 = stablehlo.pad %arg0, %109, low = [1, -1], high = [0, 2], interior = [2, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x4xf32>
    %178 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %179 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x3xf32>
    %180 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<2x4xf32>
    %181 = "stablehlo.scatter"(%arg0, %arg1, %180) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<4xi32>, tensor<2x4xf32>) -> tensor<2x3xf32>
    %182 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %183 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %184 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
    %185 = "stablehlo.reduce_scatter"(%arg0) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %186 = stablehlo.constant dense<2> : tensor<i32>
    %187 = stablehlo.multiply %113, %186 : tensor<i32>
    %188 = stablehlo.partition_id : tensor<ui32>
    %189 = stablehlo.convert %188 : (tensor<ui32>) -> tensor<i32>
    %190 = stablehlo.divide %189, %186 : tensor<i32>
    %191 = stablehlo.remainder %190, %186 : tensor<i32>
    %192 = stablehlo.add %187, %191 : tensor<i32>
    %193 = stablehlo.multiply %192, %128 : tensor<i32>
    %194 = stablehlo.dynamic_slice %arg0, %193, %113, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %195 = stablehlo.partition_id : tensor<ui32>
    %196 = stablehlo.convert %195 : (tensor<ui32>) -> tensor<i32>
    %197 = stablehlo.divide %196, %128 : tensor<i32>
    %198 = stablehlo.remainder %197, %186 : tensor<i32>
    %199 = "stablehlo.all_to_all"(%arg0) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x3xf32>) -> tensor<1x6xf32>
    %200 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %0, %43, %44, %45, %47, %48, %50, %52, %53, %55, %57, %58, %60, %62, %63, %65, %67, %68, %70, %71, %73, %75, %76, %78, %80, %81, %83, %85, %86, %88, %90, %91, %93, %95, %96, %98, %100, %101, %103, %105, %106, %108, %110, %112, %114, %116, %118, %120, %121, %122, %123, %125, %127, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138, %139, %140, %137, %141, %142, %143, %144, %145, %146, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %165, %166, %168#1, %170#1, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %arg0, %182, %183, %184, %185, %194, %198, %199, %200, %arg0 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<3xi1>, tensor<4xf32>, tensor<f32>, tensor<3xi1>, tensor<4xf64>, tensor<f64>, tensor<3xi1>, tensor<4xi32>, tensor<i32>, tensor<3xi1>, tensor<4xi64>, tensor<i64>, tensor<3xi1>, tensor<4xi1>, tensor<3xi1>, tensor<4xbf16>, tensor<bf16>, tensor<3xi1>, tensor<4xf16>, tensor<f16>, tensor<3xi1>, tensor<4xi8>, tensor<i8>, tensor<3xi1>, tensor<4xi16>, tensor<i16>, tensor<3xi1>, tensor<4xui8>, tensor<ui8>, tensor<3xi1>, tensor<4xui16>, tensor<ui16>, tensor<3xi1>, tensor<4xui32>, tensor<ui32>, tensor<3xi1>, tensor<4xui64>, tensor<ui64>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<2x3xi16>, tensor<2x3xui8>, tensor<2x3xui8>, tensor<2x3xui16>, tensor<2x3xui16>, tensor<2x3xui32>, tensor<2x3xui32>, tensor<2x3xui64>, tensor<2x3xui64>, tensor<100xf32>, tensor<2x2xf32>, tensor<2xi1>, tensor<2xf64>, tensor<70xi32>, tensor<0x3xf32>, tensor<3x3xf32>, tensor<6x5xf32>, tensor<2x3x5xf32>, tensor<2xi32>, tensor<i32>, tensor<2x5x5xf32>, tensor<2x2xf32>, tensor<2x3x2x3xf32>, tensor<2x2x9x4xf32>, tensor<2x1xf32>, tensor<5x4xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<1x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
